/** The address to call or write to, if the id is a phone number or an e-mail address. */
export function reachAddress(id: string): { kind: 'call' | 'write'; href: string } | undefined {
  if (/^\+?\d{5,20}$/.test(id)) return { kind: 'call', href: `tel:${id}` };
  if (/^[\w.!#$%&'*+/=^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(id))
    return { kind: 'write', href: `mailto:${encodeURIComponent(id).replace('%40', '@')}` };
  return undefined;
}
