//! SplitMix64, so that the data depend on no crate's idea of random numbers.

use arrow::array::*;
use arrow::buffer::{NullBuffer, ScalarBuffer};

pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        ((self.next() as u128 * n as u128) >> 64) as u64
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// An index below n, the smaller the more frequent.
    pub fn skewed(&mut self, n: u64) -> u64 {
        let u = self.unit();
        (u * u * u * n as f64) as u64
    }

    /// Nulls with probability p; none at all at 0.
    pub fn nulls(&mut self, len: usize, p: f64) -> Option<NullBuffer> {
        (p > 0.0).then(|| NullBuffer::from_iter((0..len).map(|_| !self.chance(p))))
    }

    /// n values, nulls with probability p.
    pub fn numbers<T: ArrowPrimitiveType>(
        &mut self,
        n: usize,
        p: f64,
        mut value: impl FnMut(&mut Rng) -> T::Native,
    ) -> PrimitiveArray<T> {
        let nulls = self.nulls(n, p);
        let values: Vec<T::Native> = (0..n).map(|_| value(self)).collect();
        PrimitiveArray::new(ScalarBuffer::from(values), nulls)
    }

    /// n different texts of min to max characters.
    pub fn words(&mut self, n: usize, min: u64, max: u64) -> Vec<String> {
        const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789-_ ";
        (0..n)
            .map(|_| {
                let len = min + self.below(max - min + 1);
                (0..len).map(|_| CHARACTERS[self.below(CHARACTERS.len() as u64) as usize] as char).collect()
            })
            .collect()
    }

    /// n of the words, the first ones more often, nulls with probability p.
    pub fn pick(&mut self, words: &[String], n: usize, p: f64) -> StringArray {
        let mut texts = StringBuilder::with_capacity(n, n * 12);
        for _ in 0..n {
            if self.chance(p) {
                texts.append_null();
            } else {
                texts.append_value(&words[self.skewed(words.len() as u64) as usize]);
            }
        }
        texts.finish()
    }
}
