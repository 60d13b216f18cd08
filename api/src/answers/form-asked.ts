/** Numbers in figures and in the words of both languages. */
const number = String.raw`(?:\d[\d,.]*|[一二两三四五六七八九十百千万半]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty|hundred|half)`;
const span = String.raw`(?:个?(?:月|工作日|星期|学期|小时|钟头)|[天日年周秒分]|分钟|(?:working |business )?(?:second|minute|hour|day|night|week|month|year|term)s?|s\b|ms\b|min\b|h\b)`;
const of = (source: string) => new RegExp(source, 'iu');

/** What questions ask for in a form of its own, and how a text looks that tells it. The first that fits is the one. */
const forms: { asks: RegExp; tells: RegExp }[] = [
  {
    asks: /多少钱|价格|价钱|售价|什么价|\bcosts?\b|\bprice\b|how much (?:is|are|do I pay|must I pay)/iu,
    tells: of(
      String.raw`[¥￥$€£]|${number}\s*(?:元|块|万元|美元|欧元|euros?|dollars?|pounds?|cents?)|免费|\b(?:EUR|USD|CNY|GBP|free)\b`,
    ),
  },
  {
    asks: /电话(?:号码)?(?:是|多少|几)|(?:什么|哪个|打)电话|phone number|telephone|number of the \w+ (?:office|desk|agency|team)/iu,
    tells: /(?:\d[-\s]?){5,}|分机|\bext(?:ension)?\b/iu,
  },
  {
    asks: /(?:几号|哪个|哪些|什么|多少|几个?).{0,4}端口|端口(?:号|是|多少)|\b(?:what|which) (?:\w+ ){0,2}ports?\b|\bport (?:number|does|is)\b/iu,
    tells: /(?<![\d.])\d{2,5}(?![\d.])/u,
  },
  {
    asks: /(?:哪个|什么|几).{0,8}版本?(?:本|起|以上)|版本(?:号|是)|\b(?:which|what) (?:[\w.]+ ){0,3}(?:version|release|kernel)\b/iu,
    tells: /\d+\.\d+|(?:version|release|debian|linux|kernel|版本|第)\s*\d/iu,
  },
  { asks: /哪(?:一)?年|\b(?:what|which) year\b/iu, tells: /(?<!\d)(?:19|20)\d\d(?!\d)/u },
  {
    asks: /百分之几|百分比|占比|几折|\bper ?cent(?:age)?\b/iu,
    tells: /[%％]|百分之|[\d一二三四五六七八九]\s*折|\bper ?cent\b|half/iu,
  },
  {
    asks: /多久|多长时间|how (?:long|often)|how (?:soon|quickly)/iu,
    tells: of(
      String.raw`${number}[-\s]*${span}|每[天日周月年]|\b(?:daily|weekly|monthly|yearly|every|each)\b`,
    ),
  },
];

/** The last word before the verb is what is counted. */
const measured =
  /how many (?:[a-z-]+ ){0,2}?([a-z]{3,})(?= (?:are|is|do|does|did|can|may|must|has|have|should|will|per|in|for|of)\b|[?\s]*$)|(?:多少|几)(?:个)?(\p{Script=Han})/iu;
const stemLetters = 4;

/** How a text looks that tells what `question` asks for; null where that has no form of its own. Pure. */
export function formAsked(question: string): RegExp | null {
  const form = forms.find(({ asks }) => asks.test(question));
  if (form) return form.tells;
  const [, noun, measure] = measured.exec(question) ?? [];
  if (noun)
    return of(
      String.raw`${number}\b.{0,40}\b${noun.slice(0, stemLetters)}|${noun.slice(0, stemLetters)}\w*.{0,20}\d`,
    );
  if (measure) return of(String.raw`${number}\s*个?(?:\p{Script=Han}{0,6})?${measure}|${measure}.{0,8}\d`);
  return null;
}
