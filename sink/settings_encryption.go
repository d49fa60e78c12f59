package sink

import (
	"errors"
	"fmt"
	"strings"
)

// setEncryption takes an object with members of pyarrow's EncryptionConfiguration, which are names of keys and no keys,
// and the AAD prefix. A dataset whose settings encrypt it stays encrypted so: nothing is laid over that. None of its
// errors shows a value, in case that it is a key after all.
func setEncryption(s *Settings, value any) error {
	if s.Encryption != nil || s.File.Encryption != nil {
		return errors.New("the server's settings for this dataset encrypt it, and are not changed: leave the option out")
	}
	if value == nil || value == false {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok {
		return errors.New("must be an object such as " +
			"{\"footer_key\": \"name of a key\", \"column_keys\": {\"name of a key\": [\"column\", \"column\"]}}")
	}
	var e Encryption
	known := e.members()
	for name := range object {
		if known[name] == nil {
			return fmt.Errorf("has a member that is not known; known are %s", known.names())
		}
	}
	if err := setMembers(object, known); err != nil {
		return err
	}
	switch {
	case e.FooterKey == "":
		return errors.New("has no \"footer_key\"")
	case e.OmitAADPrefix && e.AADPrefix == "":
		return errors.New("\"store_aad_prefix\": there is no \"aad_prefix\"")
	case object["uniform_encryption"] == true && len(e.ColumnKeys) > 0:
		return errors.New("\"uniform_encryption\" has one key for all columns: leave it or \"column_keys\" out")
	}
	s.Encryption = &e
	return nil
}

// members are those of encryption_properties.
func (e *Encryption) members() members {
	return members{
		"footer_key":           hidden("the name of a key of the server", &e.FooterKey),
		"column_keys":          e.setColumnKeys,
		"encryption_algorithm": e.setAlgorithm,
		"plaintext_footer":     hidden("true or false", &e.PlaintextFooter),
		"aad_prefix":           hidden("a string", &e.AADPrefix),
		"store_aad_prefix": func(v any) error {
			var store bool
			err := hidden("true or false", &store)(v)
			e.OmitAADPrefix = !store
			return err
		},
		"data_key_length_bits": func(v any) error {
			bits, _ := wholeNumber(v)
			if bits != 128 && bits != 192 && bits != 256 {
				return errors.New("must be 128, 192 or 256")
			}
			e.DataKeyBytes = int(bits / 8)
			return nil
		},
		"uniform_encryption":    hidden("true or false", new(bool)),
		"double_wrapping":       only(false, "data keys are wrapped once, with their master keys"),
		"internal_key_material": only(true, "wrapped keys are in the file"),
	}
}

// hidden sets a field, with an error that does not show the value.
func hidden[T string | bool](what string, field *T) func(value any) error {
	return func(value any) (err error) {
		v, ok := value.(T)
		if *field = v; !ok || value == "" {
			err = fmt.Errorf("must be %s", what)
		}
		return err
	}
}

// only takes one value alone.
func only(one bool, why string) func(value any) error {
	return func(value any) error {
		if value != one {
			return fmt.Errorf("must be %v: %s", one, why)
		}
		return nil
	}
}

func (e *Encryption) setAlgorithm(value any) error {
	name, _ := value.(string)
	switch e.Algorithm = strings.ToUpper(name); e.Algorithm {
	case "AES_GCM_V1", "AES_GCM_CTR_V1":
		return nil
	}
	return errors.New("must be \"AES_GCM_V1\" or \"AES_GCM_CTR_V1\"")
}

func (e *Encryption) setColumnKeys(value any) error {
	wrong := errors.New("must be an object such as {\"name of a key\": [\"column\", \"column\"]}")
	object, ok := value.(map[string]any)
	if !ok || len(object) == 0 {
		return wrong
	}
	e.ColumnKeys = map[string][]string{}
	seen := map[string]bool{}
	for key, list := range object {
		paths, err := pathList(list)
		if err != nil || len(paths) == 0 {
			return wrong
		}
		for _, path := range paths {
			if seen[path] {
				return errors.New("a column is there twice")
			}
			seen[path] = true
		}
		e.ColumnKeys[key] = paths
	}
	return nil
}
