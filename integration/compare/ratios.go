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

func (b *board) overRustFile(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, rustPeer)
	return quotient(r.Bytes, other.Bytes)
}

func (b *board) overRustPeak(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.get(shape, settings, rustPeer)
	return quotient(r.PeakBytes, other.PeakBytes)
}

func (b *board) overLeastPeak(shape, settings, our string) (float64, bool) {
	r, _ := b.get(shape, settings, our)
	other, _ := b.least(shape, settings, our, peakBytes)
	return quotient(r.PeakBytes, other.PeakBytes)
}
