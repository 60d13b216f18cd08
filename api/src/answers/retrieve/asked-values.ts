import { numeralsIn } from '../../text/numerals.ts';
import { runsOf } from '../../text/terms.ts';

export const asksForTime =
  /什么时候|何时|几点|哪天|几号|几时|哪年|\bwhen\b|what (?:time|day|date|year)|until when/iu;
export const asksForPrice = /多少钱|价格|费用|收费|\b(?:how much|prices?|costs?|fees?)\b/iu;
export const asksForPhone =
  /(?:电话|手机|热线|联系)(?:号码?)?(?:是|多少|[?？]|$)|(?:哪个|什么)(?:电话|热线|号码)|\b(?:phone|telephone|mobile|hotline|fax|contact) (?:number|no)\b|\b(?:phone|telephone|hotline|fax)\s*(?:\?|$)|\bnumber (?:(?:do|can|should|must|would) (?:i|we|you|one) |to )(?:call|ring|dial|phone)\b/iu;
/** An amount of money is asked for: not what a fee includes, nor how much of something. */
const asksForMoney =
  /多少钱|[几多]少?块钱|(?:价格|价钱|费用?|收费|票价|租金|押金|定金)(?:是|要|收)?多少(?!人|天|次)|\bhow much (?:is|are|was|does|do|did|will|would|for|to)\b(?! \w+ed\b)|\b(?:price|cost) (?:of|for)\b|\bhow much .{1,40}\b(?:costs?|pay|charged?)\b/iu;
const asksForNumber =
  /多少|几[个天次位分年月周岁块元种层]|多[久长大高远重]|\bhow (?:much|many|long|often|far|old|large|tall|heavy)\b/iu;

const digit = '[\\p{Nd}〇零一二两三四五六七八九十百]';
/** Times in Chinese: amounts and points of time, days, parts of the calendar, moments without a number. */
const chineseTime = new RegExp(
  [
    `${digit}\\s*(?:多|几|余)?\\s*(?:个?半)?(?:年|个?月|日|号|点|时|周|天|个?小时|分钟|秒|刻钟?|个?季度|个?学期|个?星期|个?礼拜|个?工作日)`,
    '周[一二三四五六日天末]|星期|礼拜[一二三四五六日天]|工作日|双休日?|平日|节假?日|假[日期]|[寒暑]假|放假|开学|毕业',
    '春节|元旦|清明|端午|中秋|国庆|除夕|圣诞|新年|过年',
    '每(?:[天日周月年季晚早]|逢|隔|学期|星期|工作日)|[年月季][初中末底]|[上中下]旬|学期|季度|[早晚午夜晨春夏秋冬]|傍晚',
    '[次翌隔当][日天年月周晚]|[今明后昨][天日年晚]|[本下上]个?(?:周|月|年|季|学期)|全[年天]|整[天年月]',
    '[天日]内|之[后前]|以[后前]|届时|即[日时刻]|随时|立[即刻]|马上|永久|终身|长期',
    '(?<=\\p{Script=Han})(?:期间|[前后时](?=$|[\\p{P}\\s]|[即方才再]))',
  ].join('|'),
  'u',
);

const hour = '(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
/** The same in English. */
const englishTime = new RegExp(
  `\\b(?:${[
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december',
    `(?:at|from|by|till|until|to|around|past) ${hour}|(?:half|quarter|minutes|ten|twenty) (?:past|to)|${hour} o['’]?clock`,
    '\\d+(?:[:.]\\d\\d)?\\s*[ap]\\.?m\\.?|\\d{1,2}(?:st|nd|rd|th)|on the (?:first|second|third|last|\\w+th)',
    '(?:seconds|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|semesters?|seasons?|years?|decades?)',
    'term|(?:hour|dai|week|fortnight|month|quarter|year)ly|annual(?:ly)?|bi(?:week|month|annual)ly|once|twice',
    '(?:after|fore)?noons?|midday|(?:mid|over)?night|tonight|mornings?|evenings?|dawn|dusk|sunrise|sunset|today|tomorrow',
    'weekends?|weekdays?|holidays?|spring|summer|autumn|winter|christmas|easter|new year|thanksgiving|ramadan',
    'after|before|until|till|during|while|when(?:ever)?|within|as soon as|immediately|instantly|always|never|any ?time',
    '(?:beginning|start|end) of',
  ].join('|')})(?![\\p{L}\\p{Nd}])`,
  'iu',
);
/** Names of months that are also ordinary words, and abbreviations; only capitalised. */
const namedTime =
  /\b(?:March|May(?! (?:I|we|you)\b)|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/u;
const date = /\b(?:19|20)\d\d\b|\p{Nd}[/-]\p{Nd}|\p{Nd}[:：]\p{Nd}/u;

/** Groups of digits that may be a telephone number: 0571-8820 3315, +49 8382 555 120. */
const digitGroups = /(?<!\p{Nd})\+?\p{Nd}{2,5}(?:[\s–-]\p{Nd}{3,5}){1,3}(?!\p{Nd})/gu;
const yearRange = /^(?:19|20)\p{Nd}{2}.(?:19|20)\p{Nd}{2}$/u;
const minDigits = 7;
const withoutPhones = (text: string): string =>
  text.replace(digitGroups, (group) =>
    group.replace(/\P{Nd}/gu, '').length < minDigits || yearRange.test(group) ? group : '',
  );

/** Whether a text contains a point or length of time, or a moment without a number such as "immediately". */
export function saysTime(text: string): boolean {
  const rest = withoutPhones(text);
  return [date, chineseTime, englishTime, namedTime].some((looks) => looks.test(rest));
}

const amount =
  /\p{Nd}|[一二两三四五六七八九十百千万半几][个天日周月年次元块分小人位份张件层楼点号倍成季级岁公里米度折档类种项条款名台套辆箱瓶包盒斤千万百十亿秒升吨克双对只支本页步遍趟晚场期门所家间室座根颗]|免费|不限|无限|无上限|全部|不收|\b(?:half|dozen|once|twice|free|unlimited|unrestricted|every|each|all|none|no|nothing|both|single|double|triple|couple|several|few|(?:hour|dai|week|month|quarter|year)ly|annually)\b|\ban? (?:second|minute|hour|day|week|fortnight|month|quarter|year|decade|third)\b/iu;

const saysNumber = (text: string): boolean => amount.test(text) || numeralsIn(runsOf(text)).length > 0;
/** A telephone number, or an extension after a word for it. */
const phone =
  /\p{Nd}(?:[\s()–—-]*\p{Nd}){4}|(?:分机|转|拨打?|\b(?:ext(?:ension|\.)?|dial|call|ring))[:：\s]*\p{Nd}{2}/iu;
const saysPhone = (text: string): boolean => phone.test(text);
const currency =
  /[$€£¥￥]|[元块角]|[美欧日港]币|人民币|英镑|\b(?:pounds?|euros?|dollars?|cents?|pence|francs?|rupees?|yen|yuan|usd|eur|gbp|chf|cny|rmb|hkd)\b|\p{Nd}\s*p\b/iu;
const share =
  /免费|不收|免收|不要钱|折|[%％‰]|\b(?:free|no (?:charge|fee|cost)|complimentary|included|percent|per cent)\b/iu;
/** A number that is no part of a time, and is not followed by what it counts. */
const bareNumber =
  /(?<![\p{L}\p{Nd}.,:：/–-]|\p{Nd} |\p{L} (?=(?:19|20)\p{Nd}{2}\b))\p{Nd}+(?:[.,]\p{Nd}+)*(?![.,]?\p{Nd})(?=\s*(?:$|[|·,;.。，；、)）\n/]|(?:per|each|an?|or)\b|每|一))/u;
const saysMoney = (text: string): boolean => currency.test(text) || share.test(text) || bareNumber.test(text);
const phoneWords = /电话|号码|手机|热线|\b(?:(?:tele)?phone|mobile|hotline|fax|number)\b/giu;

const asksForDuration = /多久|多长时间|\bhow (?:long|soon)\b/iu;
const isLength =
  /[米尺寸]|(?<!\p{L})(?:mm|cm|m|km|ft)(?!\p{L})|\b(?:met(?:er|re)s?|feet|inch(?:es)?|words|pages|characters)\b|[字页]/iu;
/** Chinese alone, as nearly every English sentence has one of the words for a place. */
const asksForPlace = /哪里|哪儿|在哪|什么地方|何处/u;
const saysPlace =
  /[楼室层路街巷号门店站馆处厅院所区园场台窗柜部网库座栋桥校司家]|中心|旁|对面|附近|[内里外上下]|小程序|app|链接|邮箱|系统|平台|在|到|向|至|找|https?:/iu;

/** Measures that a question may ask for, with their units; a row has the unit in its column. */
const measures = [
  {
    asks: /多重|(?:重量|体重|净重)(?:是|有)?多少|\bhow heavy\b|\bhow much .{1,40}\bweighs?\b/iu,
    unit: /克|斤|吨|磅|重|(?<!\p{L})(?:kg|g|mg|lbs?|oz|t)(?!\p{L})|\b(?:kilo(?:gram)?s?|grams?|tonn?e?s?|pounds?|ounces?|weigh[ts]?)\b/iu,
  },
  {
    asks: /多远|(?:距离|里程)(?:是|有)?多少|\bhow far (?:is|are|away|from)\b/iu,
    unit: /[米里]|公里|分钟|小时|车程|[\p{Nd}一两二三四五六七八九十]\s*站|(?<!\p{L})(?:km|m|ft|mi|yds?)(?!\p{L})|\b(?:kilo)?met(?:er|re)s?\b|\b(?:miles?|yards?|feet|minutes?|hours?|stops?|blocks?)\b/iu,
  },
  {
    asks: /多[深宽厚]|(?:身高|高度|深度|宽度|厚度)(?:是|有)?多少|\bhow (?:deep|tall|wide|thick)\b/iu,
    unit: /[米寸尺层]|毫米|厘米|(?<!\p{L})(?:mm|cm|m|ft|in)(?!\p{L})|\b(?:(?:centi|milli)?met(?:er|re)s?|inch(?:es)?|feet|foot|stor(?:e?y|e?ys|ies))\b|["'′″]/iu,
  },
  {
    asks: /百分之几|百分比(?:是|为)?多少|\bwhat (?:percentage|per ?cent|share)\b/iu,
    unit: /[%％‰成半全]|百分|之一|\b(?:percent|per cent|half|third|quarter|all|none)\b/iu,
  },
];

/** The kinds of values that a question may ask for, and whether a sentence or row contains one. */
const values: readonly { asks: RegExp; isIn(place: string): boolean }[] = [
  { asks: asksForDuration, isIn: (place) => saysTime(place) || isLength.test(place) },
  { asks: asksForPlace, isIn: (place) => saysPlace.test(place) },
  ...measures.map(({ asks, unit }) => ({ asks, isIn: (place: string) => unit.test(place) })),
  { asks: asksForTime, isIn: saysTime },
  { asks: asksForPhone, isIn: saysPhone },
  { asks: asksForMoney, isIn: saysMoney },
  { asks: asksForNumber, isIn: (place) => saysNumber(place) || saysTime(place) },
];

/** The words of a question for a telephone number, which `text` need not contain if it has a number. */
export const phoneWordsIn = (question: string, text: string): string[] =>
  asksForPhone.test(question) && saysPhone(text) ? (question.match(phoneWords) ?? []) : [];

/** Whether the question asks for a telephone number or an amount of money, and `text` names none. */
export const lacksPhoneOrMoney = (question: string, text: string): boolean =>
  (asksForPhone.test(question) && !saysPhone(text)) || (asksForMoney.test(question) && !currency.test(text));

/** Whether the question asks for a time, a number, money or a telephone number, and `place` contains none. */
export function lacksValue(question: string, place: string): boolean {
  return values.some(({ asks, isIn }) => asks.test(question) && !isIn(place));
}
