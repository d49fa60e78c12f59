package tools

import (
	"os/exec"
	"syscall"
)

// endWithParent lets the kernel kill the process when the test binary dies, however it dies.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
