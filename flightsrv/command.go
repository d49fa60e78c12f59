package flightsrv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"google.golang.org/protobuf/proto"

	"github.com/sluice-io/sluice/sink"
)

// target is what a put's descriptor asks for.
type target struct {
	dataset string
	options map[string]any
}

// parseDescriptor reads a FlightDescriptor, as the put contract has it. Its errors are *refusal or *sink.Error.
func parseDescriptor(data []byte) (target, error) {
	var descriptor flight.FlightDescriptor
	if err := proto.Unmarshal(data, &descriptor); err != nil {
		return target{}, invalid("the descriptor is not a valid FlightDescriptor: %v", err)
	}
	switch descriptor.Type {
	case flight.DescriptorPATH:
		dataset, err := sink.JoinDataset(descriptor.Path...)
		return target{dataset: dataset}, err
	case flight.DescriptorCMD:
		return parseCommand(descriptor.Cmd)
	}
	return target{}, invalid("the descriptor has type %v; "+
		"use PATH, such as [\"sales\",\"orders\"], or CMD, such as {\"dataset\": \"sales/orders\"}", descriptor.Type)
}

// parseCommand reads the JSON object of a CMD descriptor.
func parseCommand(data []byte) (target, error) {
	var t target
	command, err := parseObject(data)
	if err != nil {
		return t, invalid("the command is not a JSON object such as "+
			"{\"dataset\": \"sales/orders\", \"options\": {\"compression\": \"zstd\"}}: %v", err)
	}
	for key, value := range command {
		ok := true
		switch key {
		case "dataset":
			t.dataset, ok = value.(string)
		case "options":
			t.options, ok = value.(map[string]any)
		default:
			return t, invalid("the command has the unknown key %q; known are dataset, options", key)
		}
		if !ok {
			return t, invalid("%q in the command must be a %s", key, map[string]string{
				"dataset": "string", "options": "JSON object"}[key])
		}
	}
	if _, there := command["dataset"]; !there {
		return t, invalid("the command has no \"dataset\"")
	}
	return t, sink.CheckDataset(t.dataset)
}

// maxObjectDepth is how deep a command's values may be nested; options need four levels.
const maxObjectDepth = 8

// parseObject reads a JSON object strictly: one object and nothing after it, no key twice, numbers as json.Number.
func parseObject(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) { // which encoding/json would mend
		return nil, fmt.Errorf("it is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("there is more after it")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("it is something else")
	}
	return object, nil
}

func parseValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF // the stream's own end is io.EOF
	}
	if err != nil {
		return nil, err
	}
	if depth > maxObjectDepth {
		return nil, fmt.Errorf("it is nested more than %d levels deep", maxObjectDepth)
	}
	switch token {
	case json.Delim('{'):
		return parseMembers(decoder, depth+1)
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := parseValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

func parseMembers(decoder *json.Decoder, depth int) (map[string]any, error) {
	members := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("%v is not a key", token)
		}
		if _, twice := members[key]; twice {
			return nil, fmt.Errorf("key %q occurs twice", key)
		}
		if members[key], err = parseValue(decoder, depth); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return members, err
}
