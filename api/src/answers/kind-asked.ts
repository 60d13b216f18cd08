const asksTime = /什么时候|何时|几点|哪天|几号|几时|哪年|\bwhen\b|what (?:time|day|date|year)|until when/iu;
const saysTime =
  /\d{1,2}[:：]\d{2}|\d\s*(?:年|月|日|号|点|am\b|pm\b)|[一二三四五六七八九十两]\s*(?:点|月|日|号)|周[一二三四五六日]|星期|每[天日周月年]|天内|月底|之[后前]|以[后前]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|daily|weekly|monthly|(?:day|week|month|minute|hour)s?|after|before|until|once)\b/iu;

/** Whether a question asks when something is, in either language. */
export function asksForTime(question: string): boolean {
  return asksTime.test(question);
}

/** Whether a stretch of text says a time. */
export function tellsTimeIn(text: string): boolean {
  return saysTime.test(text);
}

const asking = [
  /多(?:久|长|大|高|远|重|快|厚|宽|深|晚|早)/gu,
  /(?<=\bhow )(?:long|often|far|soon|old|big|large|tall|wide|deep|fast|late|early)\b/giu,
];

/** The words with which a question asks for a measure, as they stand in it: 多久, *often* of "how often". An answer gives the measure and seldom says them. */
export function askingWordsIn(question: string): ReadonlySet<string> {
  return new Set(asking.flatMap((words) => question.match(words) ?? []).map((word) => word.toLowerCase()));
}
