type Go = (path: string, options?: { replace?: boolean }) => void;

/** Navigation for code outside of React. The router attaches itself when it is mounted; an earlier navigation is performed then. */
export interface Navigation {
  /** `path` is without the base. */
  go: Go;
  attach(go: Go): void;
}

export function createNavigation(): Navigation {
  let current: Go | undefined;
  let waiting: Parameters<Go> | undefined;
  return {
    go(...asked) {
      if (current) current(...asked);
      else waiting = asked;
    },
    attach(go) {
      current = go;
      if (waiting) go(...waiting);
      waiting = undefined;
    },
  };
}
