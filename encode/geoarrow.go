package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// wkbName is the name of GeoArrow's extension type for well-known binary.
const wkbName = "geoarrow.wkb"

// edgeAlgorithms are the values of "edges" that make a GEOGRAPHY.
var edgeAlgorithms = map[string]edgeAlgorithm{"spherical": 0, "vincenty": 1, "thomas": 2, "andoyer": 3, "karney": 4}

// geoMetadata is the metadata of GeoArrow's extension types ("GeoArrow Extension Type Definitions").
type geoMetadata struct {
	CRS     json.RawMessage `json:"crs"`
	CRSType string          `json:"crs_type"`
	Edges   *string         `json:"edges"` // nil: planar
}

// geoType returns the logical type that the metadata of geoarrow.wkb stands for.
func (x extension) geoType() (logicalType, error) {
	l := logicalType{Kind: logicalGeometry}
	if x.metadata == "" {
		return l, nil
	}
	var m geoMetadata
	err := json.Unmarshal([]byte(x.metadata), &m)
	if err != nil {
		return l, fmt.Errorf("it must be a JSON object: %w", err)
	}
	if l.CRS, err = m.crs(); err != nil {
		return l, err
	}
	if m.Edges == nil || *m.Edges == "planar" {
		return l, nil
	}
	algorithm, ok := edgeAlgorithms[*m.Edges]
	if !ok {
		return l, fmt.Errorf("edges must not be %.50q", *m.Edges)
	}
	l.Kind, l.Edges = logicalGeography, algorithm
	return l, nil
}

// crs returns the coordinate reference system as Parquet has it (Geospatial.md, "Coordinate Reference System"):
// PROJJSON as it is, and nothing for longitude and latitude by WGS 84, which is what no system means there.
func (m *geoMetadata) crs() (string, error) {
	if len(m.CRS) == 0 || string(m.CRS) == "null" {
		return "", nil
	}
	var name string
	var object struct {
		ID struct {
			Authority string `json:"authority"`
			Code      any    `json:"code"`
		} `json:"id"`
	}
	switch m.CRS[0] {
	case '"':
		err := json.Unmarshal(m.CRS, &name)
		if m.CRSType == "srid" {
			return "srid:" + name, err
		}
		if isLongLat(name) {
			return "", err
		}
		return name, err
	case '{':
		_ = json.Unmarshal(m.CRS, &object) // what has another form there has another meaning
		if isLongLat(fmt.Sprintf("%s:%v", object.ID.Authority, object.ID.Code)) {
			return "", nil
		}
		var text bytes.Buffer
		err := json.Compact(&text, m.CRS)
		return text.String(), err
	}
	return "", errors.New("crs must be a text or an object")
}

// isLongLat reports whether a system is longitude and latitude by WGS 84. Parquet has the longitude first whatever the
// system says.
func isLongLat(name string) bool { return name == "OGC:CRS84" || name == "EPSG:4326" }
