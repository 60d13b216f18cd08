import type { DeskContext } from './desk-state.ts';

/**
 * Sends the response as a file with this name (RFC 6266): `plain` is the ASCII name for old clients, the whole
 * name is in UTF-8 (RFC 8187). `inline` lets browsers show it instead of saving it.
 */
export function setFileName(
  ctx: DeskContext,
  name: string,
  plain: string,
  disposition: 'attachment' | 'inline' = 'attachment',
): void {
  const escaped = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  const whole = encodeURIComponent(name).replace(/['()*!]/g, escaped);
  ctx.set('Content-Disposition', `${disposition}; filename="${plain}"; filename*=UTF-8''${whole}`);
}
