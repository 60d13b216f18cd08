/** Decides what the Esc key closes: the layer that was opened last, and of the screen's layers only that one. */
export interface EscapeLayers {
  /** Puts a layer on top. `close` returns false if there is nothing to close; then the layer below is asked. Returns its removal. */
  add(close: () => boolean): () => void;
  /**
   * Listens to keys that are pressed in `screen`, or where nothing has the focus. A key that was handled by a field or a menu (default
   * prevented), or that belongs to an input method, closes nothing. Returns the end of listening.
   */
  connect(screen: HTMLElement): () => void;
}

export function createEscapeLayers(): EscapeLayers {
  let layers: readonly (() => boolean)[] = [];
  return {
    add(close) {
      const layer = () => close();
      layers = [...layers, layer];
      return () => {
        layers = layers.filter((one) => one !== layer);
      };
    },
    connect(screen) {
      const keyDown = (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || event.keyCode === 229)
          return;
        const isElsewhere = event.target instanceof Element && event.target !== document.body;
        if (isElsewhere && !screen.contains(event.target)) return;
        if (layers.toReversed().some((close) => close())) event.preventDefault();
      };
      document.addEventListener('keydown', keyDown);
      return () => document.removeEventListener('keydown', keyDown);
    },
  };
}
