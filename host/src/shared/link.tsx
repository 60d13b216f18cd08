import type { MouseEvent, Ref } from 'react';
import { type LinkProps, useHref, useLinkClickHandler } from 'router-real';

/** Addresses with a scheme or a host, which leave the page. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;

/**
 * The router's `Link` without what only its data routers and framework use: prefetching, view transitions, masks. With these it would
 * keep a third of the router in the page. An absolute address leaves the page.
 */
export function Link({
  to,
  replace,
  state,
  relative = 'route',
  reloadDocument,
  onClick,
  discover: _discover,
  mask: _mask,
  prefetch: _prefetch,
  preventScrollReset: _preventScrollReset,
  viewTransition: _viewTransition,
  defaultShouldRevalidate: _defaultShouldRevalidate,
  ...anchor
}: LinkProps & { ref?: Ref<HTMLAnchorElement> }) {
  const isAbsolute = typeof to === 'string' && ABSOLUTE.test(to);
  const path = isAbsolute ? '' : to;
  const href = useHref(path, { relative });
  const navigate = useLinkClickHandler(path, {
    state,
    relative,
    ...(replace !== undefined && { replace }),
    ...(anchor.target !== undefined && { target: anchor.target }),
  });
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented && !isAbsolute && !reloadDocument) navigate(event);
  };
  return <a {...anchor} href={isAbsolute ? to : href} onClick={handleClick} />;
}
