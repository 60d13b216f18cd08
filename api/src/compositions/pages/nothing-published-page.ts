/**
 * Shown while nothing has been published, most likely to the person who installs the application. Works
 * without scripts.
 */
export const NOTHING_PUBLISHED_PAGE = `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>咨询台</title></head>
<body>
<h1>咨询台还没有发布</h1>
<p>请在项目目录里运行 <code>npm start</code>：它会构建界面并发布，然后刷新本页。</p>
<p>开发时请运行 <code>npm run dev</code>，并打开它打印的地址。</p>
<div lang="en">
<h1>The consultation desk has not been published yet</h1>
<p>Run <code>npm start</code> in the project's folder: it builds the screens and publishes them. Then reload this page.</p>
<p>While developing, run <code>npm run dev</code> and open the address that it prints.</p>
</div>
</body>
</html>
`;

export const NOTHING_PUBLISHED_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
