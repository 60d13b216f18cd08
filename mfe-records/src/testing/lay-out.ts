/** jsdom has no layout: provides sizes in px for virtual lists. */
export function layOut({ row = 87, height = 800 } = {}): void {
  const size = (name: string, of: (element: HTMLElement) => number) =>
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return of(this);
      },
    });
  size('offsetHeight', (element) => (element.dataset.index === undefined ? height : row));
  size('offsetWidth', () => 400);
  size('clientHeight', () => height);
  size('clientWidth', () => 400);
  Element.prototype.scrollTo = function scrollTo(this: Element, to?: ScrollToOptions | number) {
    if (typeof to === 'object') this.scrollTop = to.top ?? 0;
    this.dispatchEvent(new Event('scroll'));
  };
}
