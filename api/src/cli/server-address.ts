/**
 * Address of the desk without a trailing slash, with the path of its PUBLIC_URL: '/desk' of 'https://example.org/desk'; the address of one of its
 * pages is accepted. undefined if it is none.
 */
export function serverAddress(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/(\/chatbot(\/.*)?|\/+)$/, '');
}
