const asks = {
  amount:
    /多少|多久|多长|多大|多高|几[个天次年月位台岁点号层楼分秒种条]|最多|最大|最高|how (?:many|much|long|often|big|tall|large|fast|old)|\b(?:cost|price|maximum)\b/iu,
  time: /什么时候|何时|几点|哪天|几号|几时|哪年|\bwhen\b|what (?:time|day|date|year)|until when/iu,
};

const tells = {
  amount:
    /\d|[一二两三四五六七八九十百千万半]\s*[个天次年月位台岁点号层楼分秒种条小周日星]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|hundred)\b/iu,
  time: /\d{1,2}[:：]\d{2}|\d\s*(?:年|月|日|号|点|am\b|pm\b)|[一二三四五六七八九十两]\s*(?:点|月|日|号)|周[一二三四五六日]|星期|每[天日周月年]|天内|月底|之[后前]|以[后前]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|daily|weekly|monthly|(?:day|week|month|minute|hour)s?|after|before|until|once)\b/iu,
};

/** A kind of thing that questions ask for by a word of their own, and that answers tell in a form of its own. */
export type KindAsked = keyof typeof asks;

/** Whether a question asks for a thing of this kind, in either language. */
export function asksFor(kind: KindAsked, question: string): boolean {
  return asks[kind].test(question);
}

/** Whether a stretch of text holds a thing of this kind. */
export function tellsOf(kind: keyof typeof tells, text: string): boolean {
  return tells[kind].test(text);
}

const asking = [
  /多(?:久|长|大|高|远|重|快|厚|宽|深|晚|早)/gu,
  /(?<=\bhow )(?:long|often|far|soon|old|big|large|tall|wide|deep|fast|late|early)\b/giu,
];

/** The words with which a question asks for a measure, as they stand in it: 多久, *often* of "how often". An answer gives the measure and seldom says them. */
export function askingWordsIn(question: string): ReadonlySet<string> {
  return new Set(asking.flatMap((words) => question.match(words) ?? []).map((word) => word.toLowerCase()));
}
