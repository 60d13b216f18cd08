type Go = (path: string, options?: { replace?: boolean }) => void;

/** Navigation for code outside of React. The router attaches itself when it is mounted; an earlier navigation is performed then. */
export interface Navigation {
  /** `path` is without the base. */
  go: Go;
  attach(go: Go): void;
}

export function createNavigation(): Navigation {
  let attached: Go | undefined;
  let pending: Parameters<Go> | undefined;
  return {
    go(...navigation) {
      if (attached) attached(...navigation);
      else pending = navigation;
    },
    attach(go) {
      attached = go;
      if (pending) go(...pending);
      pending = undefined;
    },
  };
}
