#!/usr/bin/env python3
"""Grading through a real Slurm on this machine, started here: the grades are those of a local grading, a task that
dies is "not graded", and the same command again does only what is missing.

Not run (77) where Slurm is not installed or does not start. Needs root. Debian: slurmctld, slurmd, slurm-client.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "grader"))
from fake_workbook import FakeWorkbook  # noqa: E402

CONF = """ClusterName=workbooktest
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort={port}
SlurmdPort={port2}
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def skip(why):
    print("not run:", why)
    sys.exit(77)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, top):
        self.top, self.processes = pathlib.Path(top), []
        for name in ("state", "spool"):
            (self.top / name).mkdir()
        host = socket.gethostname().split(".")[0]
        (self.top / "slurm.conf").write_text(CONF.format(host=host, top=top, port=free_port(), port2=free_port(), cpus=os.cpu_count()))
        for i in range(2):
            os.mknod(self.top / f"gpu{i}", 0o666 | 0o020000, os.makedev(1, 3))
        (self.top / "gres.conf").write_text(f"Name=gpu File={top}/gpu[0-1]\n")
        self.environment = {**os.environ, "SLURM_CONF": str(self.top / "slurm.conf")}

    def start(self):
        for program in (["slurmctld", "-D", "-c"], ["slurmd", "-D"]):
            self.processes.append(subprocess.Popen(program, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                                   start_new_session=True))
        for _ in range(60):
            said = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True).stdout
            if "idle" in said:
                return True
            time.sleep(0.5)
        return False

    def stop(self):
        subprocess.run(["scancel", "--user", "root"], env=self.environment, stderr=subprocess.DEVNULL)
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def essence(path):
    grades = json.loads(path.read_text())
    return {s["name"]: [(e["exercise"], e["status"], e["points"]) for e in s["exercises"]] for s in grades["submissions"]}


def scenario(book, cluster):
    def grade(*arguments):
        result = subprocess.run([book.cli, "grade", "class", "--isolation", "none", *arguments], env={**book.environment(), **{"SLURM_CONF": cluster.environment["SLURM_CONF"]}},
                                cwd=book.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=150)
        print(result.stdout)
        return result

    chapter = book.read("chapters/01_pretend/chapter.toml")
    book.write("chapters/01_pretend/chapter.toml", chapter.replace("time_limit = 3", "time_limit = 100"))
    for i in range(5):
        for stem, verdict in (("01_first", "passed" if i % 2 else "slow"), ("02_second", "wrong pattern.tail No.")):
            book.write(f"class/s{i}/work/01_pretend/{stem}.cu", f"{i} // judge: {verdict}\n")
    # A folder's name is any bytes but '/' and NUL.
    odd = "no utf8 \udcff\udcfe \n =1"
    for stem in ("01_first", "02_second"):
        book.write(f"class/{odd}/work/01_pretend/{stem}.cu", "5 // judge: passed\n")
    assert grade("--out", "here").returncode == 0
    # The judge of the first exercise kills the task of s3: a node that fails looks like this.
    judge = (book.build / "check_01_first").read_text()
    book.program("check_01_first", judge.replace("words = re", "if text.startswith('3 ') and not os.path.exists(os.environ['WORKBOOK_ROOT'] + '/healed'):\n"
                                                 "    os.kill(os.getppid(), signal.SIGKILL)\nwords = re", 1))
    first = grade("--out", "there", "--engine", "slurm", "--gres", "gpu:1", "--throttle", "2")
    assert first.returncode == 4, first.returncode
    for log in sorted((book.root / "there/slurm/logs").glob("*")):
        print(log.name, log.read_text()[-300:])
    told = essence(book.root / "there/grades.json")
    assert sum(status == "not graded" for rows in told.values() for _, status, _ in rows) == 2, told
    assert [status for _, status, _ in told["s3"]] == ["not graded"] * 2, told["s3"]
    lost = json.loads((book.root / "there/grades.json").read_text())
    assert next(s for s in lost["submissions"] if s["name"] == "s3")["state"] == "not graded"
    (book.root / "healed").write_text("")
    parts = {p.name: p.stat().st_mtime_ns for p in (book.root / "there/slurm/parts").iterdir()}
    assert grade("--out", "there", "--engine", "slurm", "--gres", "gpu:1").returncode == 0
    again = {p.name: p.stat().st_mtime_ns for p in (book.root / "there/slurm/parts").iterdir()}
    assert all(again[name] == when for name, when in parts.items()), "what was there was graded again"
    assert essence(book.root / "there/grades.json") == essence(book.root / "here/grades.json")
    refused = grade("--out", "refused", "--engine", "slurm", "--gres", "gpu:3")
    assert refused.returncode == 3 and "sbatch" in refused.stdout, refused.stdout
    print("local and Slurm agree on", len(told), "submissions")


def need_slurm():
    missing = [name for name in ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo") if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    if missing:
        skip(f"{', '.join(missing)} not installed (Debian: slurmctld slurmd slurm-client)")
    if os.geteuid() != 0:
        skip("only root can start a Slurm here")
    os.environ["PATH"] += ":/usr/sbin"


def main():
    need_slurm()
    with tempfile.TemporaryDirectory(prefix="slurm") as top:
        cluster = Cluster(top)
        try:
            if not cluster.start():
                log = cluster.top / "slurmd.log"
                skip("Slurm did not come up: " + (log.read_text()[-400:] if log.exists() else ""))
            book = FakeWorkbook(os.path.abspath(sys.argv[1]))
            scenario(book, cluster)
            book.folder.cleanup()
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
