package tools

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ModuleRoot returns the directory of the module's go.mod, above the directory in which the go command runs a test.
func ModuleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("tools: no go.mod above the working directory")
		}
		dir = parent
	}
}

// sourceSuffixes are the ends of the names of files that a server or a script is made from.
var sourceSuffixes = []string{".go", ".s", ".mod", ".sum", ".py", ".java", ".xml", ".csv", ".txt"}

// lookAtSources looks at each source file of the module, so that the go command runs a test again when one changes.
func lookAtSources() error {
	root, err := ModuleRoot()
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "lake"):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(sourceSuffixes, filepath.Ext(path)):
			return nil
		}
		_, err = os.Stat(path)
		return err
	})
}
