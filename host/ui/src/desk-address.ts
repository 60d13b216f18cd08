/**
 * The address of a path of the desk, such as '/api/desk/logo', in this page: it begins with the path of the desk's public address, if that
 * has one. The HTTP client adds it itself.
 */
export function deskAddress(path: string): string {
  // Rendered at build time, a page has no document, and the server adds the base path.
  return (globalThis.document?.documentElement.dataset.basePath ?? '') + path;
}
