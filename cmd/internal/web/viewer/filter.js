// The filter bar: completes fields and values, and shows a mistake under the place where it is.

import { button, el, replace, visible, wire } from "../assets/dom.js";

export class FilterBar {
  /** set(text) applies a filter that is right; stop() ends the search. */
  constructor({ ask, set, stop }) {
    Object.assign(this, { ask, set });
    this.applied = "";
    this.chosen = -1;
    this.completion = null;
    this.input = el("input", {
      type: "text", class: "filter-text", role: "combobox", id: "filter", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      placeholder: "Filter, as in Wireshark: length > 200 and info contains \"railgun\"   (/)",
      "aria-label": "Display filter", "aria-expanded": "false", "aria-controls": "proposals", "aria-autocomplete": "list", "aria-describedby": "filter-fault",
      oninput: () => this.typed(), onkeydown: (e) => this.key(e), onscroll: () => this.alignFault(), onblur: () => setTimeout(() => this.closeList(), 150),
      onclick: () => this.propose(), onfocus: () => this.input.value || this.propose(),
    });
    this.list = el("ul", { id: "proposals", class: "proposals", role: "listbox", "aria-label": "Proposals", hidden: true, onpointerdown: (e) => e.preventDefault() });
    this.fault = el("div", { class: "fault", id: "filter-fault", role: "alert", hidden: true });
    this.clearButton = button("✕", () => { this.show(""); this.submit(); this.input.focus(); }, { class: "plain", "aria-label": "Clear the filter", hidden: true });
    this.bar = el("progress", { max: "1", value: "0", hidden: true, "aria-label": "Search" });
    this.stopButton = button("stop", stop, { class: "small", hidden: true });
    this.element = el("form", { class: "filter", role: "search", onsubmit: (e) => { e.preventDefault(); this.submit(); } },
      el("div", { class: "field" }, this.input, this.clearButton, this.list, this.fault), this.bar, this.stopButton);
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
    this.mark();
    await this.set(text);
  }

  async typed() {
    this.clearButton.hidden = !this.input.value;
    this.mark();
    const text = this.input.value;
    await this.propose();
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

  /** What is wrong with a filter. One that the server does not take, as it is too long, has no place where it is wrong. */
  check(text) {
    return this.ask("check", { filter: text }).catch((fault) => ({ ok: false, message: fault.message, from: 0, to: 0 }));
  }

  mark() {
    this.input.classList.toggle("applied", !!this.applied && this.input.value.trim() === this.applied);
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
    this.carets = el("pre", { class: "carets", "aria-hidden": "true", text: " ".repeat(lead + verdict.from) + "^".repeat(width) });
    replace(this.fault, this.carets, el("p", { class: "severity-error" }, verdict.column ? `column ${verdict.column}: ` : "", wire(verdict.message)));
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
    this.chosen = -1;
    if (!completion.proposals.length) return this.closeList();
    replace(this.list, completion.proposals.map((p, i) => el("li", {
      role: "option", id: "proposal-" + i, "aria-selected": "false", onclick: () => this.take(i),
    }, el("span", { class: "mono", text: visible(p.text) }), p.type ? [" ", el("span", { class: "type", text: p.type })] : null, p.doc ? [" ", el("span", { class: "doc", text: visible(p.doc) })] : null)));
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
  }

  closeList() {
    this.list.hidden = true;
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  move(step) {
    const options = this.list.children;
    if (this.list.hidden || !options.length) return this.propose();
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
    if (e.key === "ArrowDown" || e.key === "ArrowUp") this.move(e.key === "ArrowDown" ? 1 : -1);
    else if ((e.key === "Enter" || e.key === "Tab") && !this.list.hidden && this.chosen >= 0) this.take(this.chosen);
    else if (e.key === "Tab" && !e.shiftKey && !this.list.hidden && this.completion?.proposals.length === 1) this.take(0);
    else if (e.key === "Escape" && !this.list.hidden) this.closeList();
    else if (e.key === "Escape") {
      this.show(this.applied);
      document.getElementById("row")?.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
