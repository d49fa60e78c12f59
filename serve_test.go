package main

import (
	"bytes"
	"net"
	"strings"
	"testing"
)

func TestGreet(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8815": `flight.connect("grpc://127.0.0.1:8815")`,
		"0.0.0.0:8815":   `flight.connect("grpc://localhost:8815")`,
		"[::]:8815":      `flight.connect("grpc://localhost:8815")`,
	} {
		tcp, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		greet(&out, tcp, "file:///lake")
		first, _, _ := strings.Cut(out.String(), "\n")
		if first != "listening on grpc://"+address || !strings.Contains(out.String(), want) {
			t.Errorf("%s: got\n%s", address, out.String())
		}
	}
}

func TestNewLog(t *testing.T) {
	var out bytes.Buffer
	log, err := newLog(&out, "warn", "json")
	if err != nil {
		t.Fatal(err)
	}
	log.Info().Msg("quiet")
	log.Warn().Msg("loud")
	if text := out.String(); strings.Contains(text, "quiet") || !strings.Contains(text, `"message":"loud"`) {
		t.Errorf("got %q", text)
	}
}
