import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --desk: #e9eef0; --sheet: #fff; --line: #e1e7ea; --ink: #12181b; --ink-2: #434f55; --fill: #0b6080; --on-fill: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --desk: #0b0f11; --sheet: #14191c; --line: #232b2f; --ink: #e6ebed; --ink-2: #b1bcc1; --fill: #25778f; }
}
body {
  margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--desk); color: var(--ink);
  font: 400 0.9375rem / 1.625rem -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC",
    "Microsoft YaHei", system-ui, sans-serif;
}
main { box-sizing: border-box; width: min(34rem, 100% - 32px); padding: 32px; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; }
h1, h2 { margin: 0 0 8px; font-weight: 600; line-height: 1.4; }
h1 { font-size: 1.375rem; }
h2 { font-size: 1rem; }
p { margin: 0; color: var(--ink-2); }
section + section { margin-top: 24px; padding-top: 24px; border-top: 1px solid var(--line); }
a {
  display: inline-block; margin-top: 24px; padding: 9px 18px; border-radius: 8px; background: var(--fill); color: var(--on-fill);
  font-weight: 600; text-decoration: none;
}
a:focus-visible { outline: 2px solid var(--fill); outline-offset: 3px; }
`;

/** Page for an override link that has expired or is invalid. Works without scripts. */
export const OVERRIDE_OVER_PAGE = `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>预览链接已失效 · Preview link expired</title>
<link rel="icon" type="image/svg+xml" href="/chatbot/favicon.svg">
<style>${STYLE}</style></head>
<body>
<main>
<section>
<h1>预览链接已失效</h1>
<p>它可能已经到期，或指向的版本已不可用。您看到的仍是当前发布的版本；需要预览时，请向运维人员索取新的链接。</p>
</section>
<section lang="en">
<h2>This preview link no longer works</h2>
<p>It may have expired, or what it leads to is not available any more. You still see what is live. For another preview, please ask operations for a new link.</p>
</section>
<a href="/chatbot/">打开咨询台 <span lang="en">· Open the desk</span></a>
</main>
</body>
</html>
`;

export const OVERRIDE_OVER_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
