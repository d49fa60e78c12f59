package main

// quotient returns x / y, false if either was not measured.
func quotient(x, y int64) (float64, bool) {
	if x == 0 || y == 0 {
		return 0, false
	}
	return float64(x) / float64(y), true
}

func (b *board) overFastest(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.fastest(shape, settings, our)
	return quotient(r.CPUNS, other.CPUNS)
}

func (b *board) overRust(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, rustPeer)
	return quotient(r.CPUNS, other.CPUNS)
}

// overRustFile compares with the Rust writer's file, and overRustBytes with what may be over it.
func (b *board) overRustFile(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, rustPeer)
	return quotient(r.Bytes, other.Bytes)
}

func (b *board) overRustBytes(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, rustPeer)
	if other.Bytes == 0 {
		return 0, false
	}
	return quotient(r.Bytes, other.Bytes+other.Bytes/100+4<<10)
}

func (b *board) overArrowGo(shape, settings, our string) (float64, bool) {
	theirs := arrowGoPeer
	if modeOf(our) == table {
		theirs += "-table"
	}
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, theirs)
	return quotient(r.CPUNS, other.CPUNS)
}

func (b *board) overLeastPeak(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.least(shape, settings, our, peakBytes)
	return quotient(r.PeakBytes, other.PeakBytes)
}

// overFile compares memory with what a file of that size may take.
func (b *board) overFile(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	return quotient(r.PeakBytes, r.Bytes+r.Bytes*15/100+4<<20)
}
