/** The API's address of a contact. */
export function contactUrl(id: string): string {
  return `/api/contacts/${encodeURIComponent(id)}`;
}
