package encode

// encryptionAlgorithm is the spec's EncryptionAlgorithm with its AesGcmV1 or AesGcmCtrV1.
type encryptionAlgorithm struct {
	CTR             bool   // AES_GCM_CTR_V1
	AADPrefix       []byte // empty: it is not in the file
	FileUnique      []byte
	SupplyAADPrefix bool // there is a prefix that is not in the file
}

// fileCryptoMetaData is the spec's FileCryptoMetaData, which stands before an encrypted footer.
type fileCryptoMetaData struct {
	Algorithm   encryptionAlgorithm
	KeyMetadata []byte // empty omits it
}

// columnCrypto is the spec's ColumnCryptoMetaData.
type columnCrypto struct {
	Path        []string // nil: the column is encrypted with the footer key
	KeyMetadata []byte   // empty omits it
}

func (c *columnCrypto) withFooterKey() bool { return c.Path == nil }

// write writes a as a field; nil omits it. arrow-go's reader needs the flag even where it is false.
func (a *encryptionAlgorithm) write(w *thriftWriter, id int16) {
	if a == nil {
		return
	}
	union := w.begin(id)
	member := int16(1)
	if a.CTR {
		member = 2
	}
	outer := w.begin(member)
	if len(a.AADPrefix) > 0 {
		w.bytes(1, a.AADPrefix)
	}
	w.bytes(2, a.FileUnique)
	w.bool(3, a.SupplyAADPrefix)
	w.end(outer)
	w.end(union)
}

// append writes m in compact Thrift.
func (m *fileCryptoMetaData) append(dst []byte) []byte {
	w := thriftWriter{buf: dst}
	m.Algorithm.write(&w, 1)
	if len(m.KeyMetadata) > 0 {
		w.bytes(2, m.KeyMetadata)
	}
	return w.finish()
}

// write writes c as a field; nil omits it.
func (c *columnCrypto) write(w *thriftWriter, id int16) {
	if c == nil {
		return
	}
	union := w.begin(id)
	if c.withFooterKey() {
		w.empty(1)
		w.end(union)
		return
	}
	outer := w.begin(2)
	w.list(1, thriftBinary, len(c.Path))
	for _, name := range c.Path {
		w.elemString(name)
	}
	if len(c.KeyMetadata) > 0 {
		w.bytes(2, c.KeyMetadata)
	}
	w.end(outer)
	w.end(union)
}
