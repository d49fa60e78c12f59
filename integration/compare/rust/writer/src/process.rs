//! What the system knows of this process: processor time and resident memory (Linux).

use std::fs;

/// Processor time of all threads so far, in user and system mode.
pub fn cpu_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: time is writable; the clock is this process's own.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

unsafe extern "C" {
    /// Of the global allocator: gives free memory back, with force all of it.
    fn mi_collect(force: bool);
}

/// Gives free memory back to the system, makes resident memory of now its peak, and returns it in bytes.
pub fn reset_peak() -> Result<u64, String> {
    // SAFETY: it takes nothing that is in use.
    unsafe { mi_collect(true) };
    fs::write("/proc/self/clear_refs", "5").map_err(|e| format!("/proc/self/clear_refs: {e}"))?;
    status("VmRSS:")
}

/// The peak of resident memory since [`reset_peak`], in bytes.
pub fn peak() -> Result<u64, String> {
    status("VmHWM:")
}

/// One line of /proc/self/status, which has KiB.
fn status(key: &str) -> Result<u64, String> {
    let text = fs::read_to_string("/proc/self/status").map_err(|e| format!("/proc/self/status: {e}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.map(|kib| kib << 10).ok_or_else(|| format!("/proc/self/status: no {key}"))
}
