package encode

import "encoding/binary"

// BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split") puts the first bytes of all values first, then their second
// bytes, and so on. It makes a page no smaller; the codec does, which then sees like bytes together. Eight values at a
// time are transposed in registers, eight bytes of each, so that a stream grows by words:
//
//	values  a0 a1 … a7 | b0 b1 … b7 | … | h0 h1 … h7      streams  a0 b0 … h0 | … | a7 b7 … h7

// splitGroups is how many groups of eight values are split before their streams are copied to where they belong.
const splitGroups = 64

// splitRows are as many streams of some groups.
type splitRows [8][8 * splitGroups]byte

func (r *splitRows) put(stream, group int, w uint64) {
	binary.LittleEndian.PutUint64(r[stream][8*group:], w)
}

// appendStreamSplit appends the values of plain, each of width bytes, in BYTE_STREAM_SPLIT. This takes as many bytes as
// plain has.
func appendStreamSplit(dst, plain []byte, width int) []byte {
	n := len(plain) / width
	if len(plain) != n*width {
		panic("encode: a page ends inside of a value")
	}
	at := len(dst)
	dst = grow(dst, len(plain))
	streams := dst[at:]
	if width == 1 {
		copy(streams, plain)
		return dst
	}
	// Eight bytes are read even of a shorter value.
	whole := max(0, len(plain)-max(0, 8-width)) / width &^ 7
	var rows splitRows
	for from := 0; from < whole; from += 8 * splitGroups {
		groups := min(splitGroups, (whole-from)/8)
		for k := 0; k < width; k += 8 {
			first := max(0, min(k, width-8)) // the last eight bytes may overlap those before
			rows.split(plain[from*width+first:], groups, width)
			for i := range min(8, width) {
				copy(streams[(first+i)*n+from:], rows[i][:8*groups])
			}
		}
	}
	for i := whole; i < n; i++ {
		for k := range width {
			streams[k*n+i] = plain[i*width+k]
		}
	}
	return dst
}

// split splits the first eight bytes of values that lie width bytes apart, or all their bytes if there are less.
func (r *splitRows) split(plain []byte, groups, width int) {
	switch width {
	case 2:
		r.split2(plain, groups)
	case 4:
		r.split4(plain, groups)
	case 8:
		r.split8(plain, groups)
	case 16:
		r.split16(plain, groups)
	default:
		r.splitAny(plain, groups, width)
	}
}

func (r *splitRows) split8(plain []byte, groups int) {
	for i := range min(groups, splitGroups) {
		p := (*[64]byte)(plain[64*i:])
		r.transpose(i,
			binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(p[8:]),
			binary.LittleEndian.Uint64(p[16:]), binary.LittleEndian.Uint64(p[24:]),
			binary.LittleEndian.Uint64(p[32:]), binary.LittleEndian.Uint64(p[40:]),
			binary.LittleEndian.Uint64(p[48:]), binary.LittleEndian.Uint64(p[56:]))
	}
}

func (r *splitRows) split16(plain []byte, groups int) {
	for i := range min(groups, splitGroups) {
		p := (*[120]byte)(plain[128*i:])
		r.transpose(i,
			binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(p[16:]),
			binary.LittleEndian.Uint64(p[32:]), binary.LittleEndian.Uint64(p[48:]),
			binary.LittleEndian.Uint64(p[64:]), binary.LittleEndian.Uint64(p[80:]),
			binary.LittleEndian.Uint64(p[96:]), binary.LittleEndian.Uint64(p[112:]))
	}
}

func (r *splitRows) splitAny(plain []byte, groups, width int) {
	for i := range min(groups, splitGroups) {
		p := plain[8*i*width:]
		r.transpose(i,
			binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[width:]),
			binary.LittleEndian.Uint64(p[2*width:]), binary.LittleEndian.Uint64(p[3*width:]),
			binary.LittleEndian.Uint64(p[4*width:]), binary.LittleEndian.Uint64(p[5*width:]),
			binary.LittleEndian.Uint64(p[6*width:]), binary.LittleEndian.Uint64(p[7*width:]))
	}
}

// transpose splits a group of eight words: their halves change places, then their quarters, then their bytes.
func (r *splitRows) transpose(group int, a, b, c, d, e, f, g, h uint64) {
	const (
		m32 = 0x00000000ffffffff
		m16 = 0x0000ffff0000ffff
		m8  = 0x00ff00ff00ff00ff
	)
	ae, bf, cg, dh := (a>>32^e)&m32, (b>>32^f)&m32, (c>>32^g)&m32, (d>>32^h)&m32
	a, b, c, d = a^ae<<32, b^bf<<32, c^cg<<32, d^dh<<32
	e, f, g, h = e^ae, f^bf, g^cg, h^dh
	ac, bd, eg, fh := (a>>16^c)&m16, (b>>16^d)&m16, (e>>16^g)&m16, (f>>16^h)&m16
	a, b, e, f = a^ac<<16, b^bd<<16, e^eg<<16, f^fh<<16
	c, d, g, h = c^ac, d^bd, g^eg, h^fh
	ab, cd, ef, gh := (a>>8^b)&m8, (c>>8^d)&m8, (e>>8^f)&m8, (g>>8^h)&m8
	r.put(0, group, a^ab<<8)
	r.put(1, group, b^ab)
	r.put(2, group, c^cd<<8)
	r.put(3, group, d^cd)
	r.put(4, group, e^ef<<8)
	r.put(5, group, f^ef)
	r.put(6, group, g^gh<<8)
	r.put(7, group, h^gh)
}

func (r *splitRows) split4(plain []byte, groups int) {
	const (
		m16 = 0x0000ffff0000ffff
		m8  = 0x00ff00ff00ff00ff
	)
	for i := range min(groups, splitGroups) {
		p := (*[32]byte)(plain)
		a := uint64(binary.LittleEndian.Uint32(p[0:])) | uint64(binary.LittleEndian.Uint32(p[16:]))<<32
		b := uint64(binary.LittleEndian.Uint32(p[4:])) | uint64(binary.LittleEndian.Uint32(p[20:]))<<32
		c := uint64(binary.LittleEndian.Uint32(p[8:])) | uint64(binary.LittleEndian.Uint32(p[24:]))<<32
		d := uint64(binary.LittleEndian.Uint32(p[12:])) | uint64(binary.LittleEndian.Uint32(p[28:]))<<32
		ac, bd := (a>>16^c)&m16, (b>>16^d)&m16
		a, b, c, d = a^ac<<16, b^bd<<16, c^ac, d^bd
		ab, cd := (a>>8^b)&m8, (c>>8^d)&m8
		r.put(0, i, a^ab<<8)
		r.put(1, i, b^ab)
		r.put(2, i, c^cd<<8)
		r.put(3, i, d^cd)
		plain = plain[32:]
	}
}

func (r *splitRows) split2(plain []byte, groups int) {
	for i := range min(groups, splitGroups) {
		p := (*[16]byte)(plain)
		a, b := binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(p[8:])
		r.put(0, i, evenBytes(a)|evenBytes(b)<<32)
		r.put(1, i, evenBytes(a>>8)|evenBytes(b>>8)<<32)
		plain = plain[16:]
	}
}

// evenBytes returns the bytes 0, 2, 4 and 6 of w.
func evenBytes(w uint64) uint64 {
	w &= 0x00ff00ff00ff00ff
	w = (w | w>>8) & 0x0000ffff0000ffff
	return (w | w>>16) & 0x00000000ffffffff
}
