type Go = (path: string, options?: { replace?: boolean }) => void;

/** Leads from places that are no components to the router, which attaches itself once it stands. */
export interface Navigation {
  /** `path` without the base. */
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
