type Go = (path: string, options?: { replace?: boolean }) => void;

export type Navigation = ReturnType<typeof createNavigation>;

/** Navigation outside of React. What happens before the router is mounted is performed then. */
export function createNavigation() {
  let attached: Go | undefined;
  let pending: Parameters<Go> | undefined;
  return {
    /** `path` is without the base. */
    go(...navigation: Parameters<Go>): void {
      if (attached) attached(...navigation);
      else pending = navigation;
    },
    attach(go: Go): void {
      attached = go;
      if (pending) go(...pending);
      pending = undefined;
    },
  };
}
