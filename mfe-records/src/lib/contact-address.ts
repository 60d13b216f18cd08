/** The address of a contact's page; of all contacts without an id. */
export function contactAddress(id?: string | null): string {
  return id ? `/contacts#id=${encodeURIComponent(id)}` : '/contacts';
}
