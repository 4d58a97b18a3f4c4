"""Runs the code of a page: python.py PAGE [--update]. See .ci/python."""

import contextlib
import io
import pathlib
import re
import shutil
import sys

page = pathlib.Path(sys.argv[1])
update = "--update" in sys.argv
text = page.read_text()
names, faults, ran = {}, 0, 0


def run(block):
    """Runs a block of code, and returns it with what it printed behind it."""
    global faults, ran
    code, between, expected = block.groups()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"{page.name}:{text[:block.start()].count(chr(10)) + 2}", "exec"), names)
    printed = "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())
    ran += expected is not None
    if printed != (expected or "") and not update:
        faults += 1
        print(f"this prints\n{printed}the page has\n{expected or ''}for\n{code}")
    return block.group() if expected is None else f"```python\n{code}```{between}```text\n{printed}```"


done = re.sub(r"```python\n(.*?)```(?:(\s+)```text\n(.*?)```)?", run, text, flags=re.DOTALL)
for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
    made = pathlib.Path(picture)
    if not made.exists() or not made.read_bytes().startswith(b"\x89PNG") or made.stat().st_size < 4000:
        faults += 1
        print(f"{picture} is not made, or is empty")
    elif update:
        shutil.copy(made, page.parent / picture)
if update:
    page.write_text(done)
print(f"{page.name}: {ran} questions, {faults} differ")
sys.exit(faults > 0)
