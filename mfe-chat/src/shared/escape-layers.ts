/** Decides what the Escape key closes: the topmost layer only. */
export interface EscapeLayers {
  /**
   * Adds a layer on top. `close` returns false if there is nothing to close; then the layer below is asked. Returns a function that removes
   * it.
   */
  add(close: () => boolean): () => void;
  /**
   * Handles keys pressed inside `screen`, or without focus. Ignores keys handled by a field or menu (default prevented) or by an input
   * method. Returns a function that stops it.
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
