/** Whether the browser keeps cookies of this site, which guests need. `navigator.cookieEnabled` is also true where a setting blocks them. */
export function hasCookies(): boolean {
  if (document.cookie !== '') return true;
  write('desk-probe=1; SameSite=Strict');
  const isKept = document.cookie !== '';
  write('desk-probe=; SameSite=Strict; Max-Age=0');
  return isKept;
}

function write(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and missing in Firefox
  document.cookie = cookie;
}
