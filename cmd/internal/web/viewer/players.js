// Who plays in the inputs, and how each player looks: as in the report.

import { el, visible } from "../assets/dom.js";
import { playerLook, playerPlaces } from "../assets/colour.js";

export class Players {
  constructor(ask) {
    this.ask = ask;
    this.files = [];
  }

  /** Resolves when it is known who plays. */
  known() {
    this.work ??= (async () => {
      for (;;) {
        const roster = await this.ask("roster");
        if (roster.done) {
          for (const file of roster.files)
            for (const game of file.games) game.places = playerPlaces(game.players, (i) => !!game.players[i].plays);
          return void (this.files = roster.files);
        }
        await new Promise((again) => setTimeout(again, 200));
      }
    })();
    return this.work;
  }

  /**
   * A player with a number and a name without colours, of the game of a stream: {name, look}; undefined: it is
   * nobody.
   */
  find(file, stream, client, name) {
    const games = this.files[file]?.games ?? [];
    const game = games.find((g) => g.streams?.includes(stream)) ?? (games.length === 1 ? games[0] : undefined);
    if (!game) return undefined;
    const exact = game.players.findIndex((p) => p.client === client && p.name === name);
    const i =
      exact < 0 ? game.players.findIndex((p) => (client === undefined ? p.name === name : p.client === client)) : exact;
    return i < 0
      ? undefined
      : {
          name: game.players[i].name,
          get look() {
            return playerLook(game.players[i].team, game.places[i]);
          },
        };
  }

  /** Who plays in a stream. */
  ofStream(file, stream) {
    const client = this.files[file]?.clients.find((c) => c.stream === stream);
    return client && (this.find(file, stream, undefined, client.name) ?? undefined);
  }

  /** The signs of the players in an event, in their colours. */
  signs(file, line) {
    const signs = [];
    for (const part of Object.values(line)) {
      if (!part || typeof part !== "object" || !("name" in part || "client_num" in part || "client_id" in part))
        continue;
      const name = part.name_clean ?? part.name;
      const who = this.find(file, line.stream ?? -1, part.client_num ?? part.client_id, name);
      if (!who || !String(line.info).includes(name)) continue; // the words are about somebody else
      const sign = el("span", {
        class: "sign",
        role: "img",
        "aria-label": visible(who.name),
        title: visible(who.name),
        text: who.look.sign,
      });
      sign.style.color = who.look.colour;
      signs.push(sign);
    }
    return signs.length ? [signs, " "] : null;
  }
}
