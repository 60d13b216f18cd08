const maxLength = 200;

/** Names that programs give to a document without a title, or to its first part; a number may follow. */
const defaults = [
  '\\(?(?:anonymous|unspecified|untitled|unknown|unnamed|none|null|undefined|empty|no title|title|default)\\)?',
  '(?:untitled|new|blank|my|scanned|microsoft word|word|pdf)?[ _-]*document',
  'doc|print(?:ed)?|printout|scan(?:ned)?(?: image| page)?|image|img|page|layout|sheet|slide|book|workbook|presentation|drawing|template|file',
  'powerpoint(?: presentation| 演示文稿)?',
  '(?:microsoft|openoffice|libreoffice) ?(?:word|excel|powerpoint|writer|calc|impress)?',
  'pdf ?lib|pdf|report(?:lab)?|crystal reports?|fast report|jasper ?reports?',
  '无标题(?:文档|演示文稿)?|未命名(?:文档|文件)?|无题|匿名|标题|文档|新建文档|新建 ?(?:microsoft )?(?:word|excel|powerpoint)? ?(?:文档|工作表|演示文稿)?',
  '演示文稿|幻灯片|工作簿|扫描(?:件|文档)?|图片|页面|第 ?\\d+ ?页',
].join('|');
const isDefault = new RegExp(`^(?:${defaults})[ _#.-]*\\(?\\d{0,4}\\)?$`, 'i');
/** An address, a path or a file name; the program's name before a file's. */
const isFile =
  /^(?:about:|https?:|file:|[a-z]:\\|\\\\|microsoft (?:word|excel|powerpoint) ?-)|\.(?:docx?|docm|dotx?|pdf|indd|qxp|qxd|tex|dvi|p?s|eps|ai|html?|php|aspx?|jsp|md|txt|rtf|od[tsp]|wps|et|dps|xlsx?|xlsm|pptx?|pub|vsdx?|pages|key|tiff?|jpe?g|png|bmp)$/i;

/** The title in a file's metadata, if it is one: not what programs write there by themselves. Otherwise ''. */
export function titleOf(given: string): string {
  const title = given.replace(/\s+/g, ' ').trim();
  const isReadable = /\p{L}/u.test(title) && !/[\ufffd\p{Co}\p{Cn}]/u.test(title);
  if (!isReadable || isDefault.test(title) || isFile.test(title)) return '';
  return title.slice(0, maxLength);
}

/** The name of a file without its ending, as a title. */
export function withoutEnding(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, '').trim();
}
