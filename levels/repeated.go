package levels

// walkRepeated walks lists that stand several times in a row, each as often as it stands.
func (l *listNode) walkRepeated(t *Tree, sc scope, mask Bits) error {
	if !mask.All() {
		mask = sc.overSlots(mask, &l.repeatedMask)
	}
	l.repeated = l.repeated[:0]
	for _, run := range sc.runs {
		if run.Times == 1 {
			l.repeated = append(l.repeated, run)
			continue
		}
		for range run.Times {
			l.repeated = append(l.repeated, Run{run.Slot, 1, 1})
		}
	}
	sc.runs, sc.numEntries, sc.repeated = l.repeated, sc.frame.numSlots, false
	return l.expand.run(t, l, sc, mask)
}
