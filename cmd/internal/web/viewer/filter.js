// The filter bar: completes fields and values, and shows a mistake under the place where it is.

import { button, el, hint, replace, say, visible, wire } from "../assets/dom.js";
import { plural } from "../assets/format.js";
import { Filters } from "./filters.js";

export class FilterBar {
  /** set(text) applies a filter that is right; stop() ends the search. */
  constructor({ ask, set, stop }) {
    Object.assign(this, { ask, set });
    this.applied = "";
    this.chosen = -1;
    this.completion = null;
    this.filters = new Filters();
    this.input = el("input", {
      type: "text",
      class: "filter-text",
      role: "combobox",
      id: "filter",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      placeholder: 'Filter, as in Wireshark: length > 200 and info contains "railgun"   (/)',
      "aria-label": "Display filter",
      "aria-expanded": "false",
      "aria-controls": "proposals",
      "aria-autocomplete": "list",
      "aria-describedby": "filter-fault",
      oninput: () => this.typed(),
      onkeydown: (e) => this.key(e),
      onscroll: () => this.alignFault(),
      onblur: () => setTimeout(() => document.activeElement !== this.input && this.closeList(), 150),
      onclick: () => this.input.value && this.propose(),
      onfocus: () => this.input.value || this.showKept(false),
    });
    this.list = el("ul", {
      id: "proposals",
      class: "proposals",
      role: "listbox",
      "aria-label": "Proposals",
      hidden: true,
      onpointerdown: (e) => e.preventDefault(),
    });
    this.fault = el("div", { class: "fault", id: "filter-fault", role: "alert", hidden: true });
    this.keptButton = button("▾", () => (this.keptShown ? this.closeList() : this.showKept(true)), {
      class: "plain kept",
      "aria-label": "Filters used and saved",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      title: "Filters used and saved (Alt ↓)",
      onpointerdown: (e) => e.preventDefault(),
    });
    this.saveButton = button("☆", () => this.save(), { class: "plain save", "aria-pressed": "false", hidden: true });
    this.clearButton = button(
      "✕",
      () => {
        this.show("");
        this.submit();
        this.input.focus();
      },
      { class: "plain", "aria-label": "Clear the filter", hidden: true },
    );
    this.bar = el("progress", { max: "1", value: "0", hidden: true, "aria-label": "Search" });
    this.stopButton = button("stop", stop, { class: "small", hidden: true });
    this.element = el(
      "form",
      {
        class: "filter",
        role: "search",
        onsubmit: (e) => {
          e.preventDefault();
          this.submit();
        },
      },
      el(
        "div",
        { class: "field" },
        this.input,
        el("span", { class: "in-bar" }, this.saveButton, this.clearButton, this.keptButton),
        this.list,
        this.fault,
      ),
      this.bar,
      this.stopButton,
    );
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  /** Shows a text without applying it. */
  show(text) {
    this.input.value = text;
    this.applied = text;
    this.clearButton.hidden = !text;
    this.showFault(null);
    this.mark();
  }

  /** Writes a filter and applies it. */
  write(text) {
    this.input.value = text;
    return this.submit();
  }

  /** Makes a filter of a field: alone, or joined to the one that there is. */
  apply(how, field) {
    const now = this.input.value.trim();
    const condition = field.filter;
    const not = how.endsWith("not") ? `not (${condition})` : condition;
    const joined = now && how !== "set" && how !== "not" ? `(${now}) ${how.split(" ")[0]} ${not}` : not;
    return this.write(joined);
  }

  async submit() {
    const text = this.input.value.trim();
    this.closeList();
    const verdict = await this.check(text);
    if (this.input.value.trim() !== text) return;
    this.showFault(verdict);
    if (!verdict.ok) return;
    this.applied = text;
    this.clearButton.hidden = !text;
    if (text) this.filters.used(text);
    this.mark();
    await this.set(text);
  }

  async typed() {
    this.clearButton.hidden = !this.input.value;
    this.mark();
    const text = this.input.value;
    if (text) await this.propose();
    else {
      this.closeList();
      this.showKept(false);
    }
    const verdict = await this.check(text.trim());
    if (this.input.value !== text) return;
    this.input.classList.toggle("wrong", !verdict.ok);
    this.input.setAttribute("aria-invalid", String(!verdict.ok));
    if (verdict.ok) this.showFault(null);
  }

  /** Shows a filter of an address, and reports whether it is right. */
  async begin(text) {
    this.show(text);
    const verdict = await this.check(text);
    if (this.applied === text) this.showFault(verdict);
    return verdict.ok;
  }

  /**
   * What is wrong with a filter. One that the server does not take, as it is too long, has no place where it is
   * wrong.
   */
  check(text) {
    return this.ask("check", { filter: text }).catch((fault) => ({
      ok: false,
      message: fault.message,
      from: 0,
      to: 0,
    }));
  }

  mark() {
    const applied = !!this.applied && this.input.value.trim() === this.applied;
    this.input.classList.toggle("applied", applied);
    this.saveButton.hidden = !applied;
    const saved = applied && this.filters.isSaved(this.applied);
    say(this.saveButton, saved ? "★" : "☆");
    this.saveButton.setAttribute("aria-pressed", String(saved));
    this.saveButton.setAttribute("aria-label", "Save the filter");
    hint(this.saveButton, saved ? "Saved; choose to save it no longer" : "Save the filter");
  }

  /** Saves the filter that is applied, or no longer. */
  save() {
    this.filters.toggle(this.applied);
    this.mark();
  }

  /** Shows what is wrong, with carets under it. */
  showFault(verdict) {
    const wrong = !!verdict && !verdict.ok;
    this.input.classList.toggle("wrong", wrong);
    this.input.setAttribute("aria-invalid", String(wrong));
    this.fault.hidden = !wrong;
    if (!wrong) return;
    const lead = this.input.value.length - this.input.value.trimStart().length;
    const width = Math.max(1, verdict.to - verdict.from);
    this.carets = el("pre", {
      class: "carets",
      "aria-hidden": "true",
      text: " ".repeat(lead + verdict.from) + "^".repeat(width),
    });
    replace(
      this.fault,
      this.carets,
      el("p", { class: "severity-error" }, verdict.column ? `column ${verdict.column}: ` : "", wire(verdict.message)),
    );
    this.alignFault();
  }

  alignFault() {
    if (this.carets) this.carets.style.marginInlineStart = -this.input.scrollLeft + "px";
  }

  /** How far a search is; null: there is none. */
  progress(page) {
    const running = !!page && !page.done;
    this.bar.hidden = this.stopButton.hidden = !running;
    if (running) this.bar.value = page.part;
  }

  // Proposals

  async propose() {
    const text = this.input.value;
    const at = this.input.selectionStart ?? text.length;
    const position = [...text.slice(0, at)].length;
    let completion;
    try {
      completion = await this.ask("complete", { filter: text, at: position });
    } catch {
      return;
    }
    if (this.input.value !== text || document.activeElement !== this.input) return;
    const place = position + ":" + text;
    if (!this.list.hidden && this.proposed === place) return; // they are there, and one may be chosen
    this.proposed = place;
    this.completion = completion;
    if (!completion.proposals.length) return this.closeList();
    this.openList(
      "Proposals",
      completion.proposals.map((p) => [
        el("span", { class: "mono", text: visible(p.text) }),
        p.type ? [" ", el("span", { class: "type", text: p.type })] : null,
        p.doc ? [" ", el("span", { class: "doc", text: visible(p.doc) })] : null,
      ]),
    );
  }

  /** Lists the filters that are saved, then those that were used. asked: also if there is none. */
  showKept(asked) {
    const { recent, saved } = this.filters.kept;
    this.kept = [
      ...saved.map((text) => ({ text, saved: true })),
      ...recent.filter((text) => !saved.includes(text)).map((text) => ({ text })),
    ];
    if (!this.kept.length && !asked) return;
    if (recent.length) this.kept.push({ forget: true });
    const line = ({ text, saved, forget }) =>
      forget
        ? el("span", { class: "doc", text: `Forget ${plural(recent.length, "filter")} used before` })
        : [
            el("span", {
              class: "star",
              role: "img",
              "aria-label": saved ? "saved" : "used",
              text: saved ? "★ " : "  ",
            }),
            el("span", { class: "mono", text: visible(text) }),
          ];
    this.proposed = null;
    this.openList(
      "Filters used and saved",
      this.kept.length
        ? this.kept.map(line)
        : [el("span", { class: "doc", text: "Filters that you use and save will be here." })],
    );
    this.keptShown = true;
    this.keptButton.setAttribute("aria-expanded", "true");
    if (asked) this.input.focus();
  }

  /** Takes an entry of the list of filters: applies it, or forgets those that were used. */
  takeKept(i) {
    const { text, forget } = this.kept[i] ?? {};
    this.closeList();
    if (forget) this.filters.clear();
    else if (text) this.write(text);
    this.input.focus({ preventScroll: true });
    this.closeList();
  }

  /** Forgets the chosen entry of the list of filters. */
  forgetKept() {
    const { text } = this.kept[this.chosen] ?? {};
    if (!text) return;
    this.filters.forget(text);
    this.mark();
    this.showKept(true);
  }

  /** Opens the list below the bar. lines: what is in each of its options. */
  openList(label, lines) {
    this.chosen = -1;
    this.keptShown = false;
    this.keptButton.setAttribute("aria-expanded", "false");
    this.list.setAttribute("aria-label", visible(label));
    replace(
      this.list,
      lines.map((line, i) =>
        el(
          "li",
          {
            role: "option",
            id: "proposal-" + i,
            "aria-selected": "false",
            onclick: () => (this.keptShown ? this.takeKept(i) : this.take(i)),
          },
          line,
        ),
      ),
    );
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
  }

  closeList() {
    this.list.hidden = true;
    this.keptShown = false;
    this.keptButton.setAttribute("aria-expanded", "false");
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  move(step) {
    const options = this.list.children;
    if (this.list.hidden || !options.length)
      return this.input.value || (!this.filters.kept.recent.length && !this.filters.kept.saved.length)
        ? this.propose()
        : this.showKept(true);
    options[this.chosen]?.setAttribute("aria-selected", "false");
    this.chosen = (this.chosen + step + options.length + (this.chosen < 0 && step < 0 ? 1 : 0)) % options.length;
    options[this.chosen].setAttribute("aria-selected", "true");
    options[this.chosen].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", "proposal-" + this.chosen);
  }

  take(i) {
    const { from, to, proposals } = this.completion;
    const proposal = proposals[i];
    const text = [...this.input.value];
    const before = text.slice(0, from).join("");
    const after = text.slice(to).join("");
    this.input.value = before + proposal.text + after;
    const at = (before + proposal.text).length;
    this.input.focus();
    this.input.setSelectionRange(at, at);
    this.closeList();
    this.typed();
  }

  key(e) {
    if (e.key === "ArrowDown" && e.altKey) this.showKept(true);
    else if (e.key === "Delete" && this.keptShown && this.chosen >= 0) this.forgetKept();
    else if ((e.key === "Enter" || (e.key === "Tab" && !e.shiftKey)) && this.keptShown && this.chosen >= 0)
      this.takeKept(this.chosen);
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") this.move(e.key === "ArrowDown" ? 1 : -1);
    else if ((e.key === "Enter" || e.key === "Tab") && !this.list.hidden && this.chosen >= 0) this.take(this.chosen);
    else if (
      e.key === "Tab" &&
      !e.shiftKey &&
      !this.list.hidden &&
      !this.keptShown &&
      this.completion?.proposals.length === 1
    )
      this.take(0);
    else if (e.key === "Escape" && !this.list.hidden) this.closeList();
    else if (e.key === "Escape") {
      this.show(this.applied);
      document.getElementById("row")?.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
