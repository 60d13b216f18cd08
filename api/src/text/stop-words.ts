import { fold } from './fold.ts';
import { stemOf } from './terms.ts';

/**
 * Words without content: particles, pronouns, question words, politeness. Chinese ones are removed wherever
 * they occur in a question, longest first; so this list must not contain words that mostly occur as parts of
 * content words.
 */
const chinese = `
请问一下 请问 麻烦问下 我想问一下 我想问 想问一下 想问问 我想知道 想知道 告诉我 能否告诉我 帮我看看 帮我 请教一下 谁能告诉我 问一下 您好 你好
怎么样才能 怎样才能 如何才能 怎么才能 要怎么样 要怎么 该怎么样 该怎么办 该怎么 应该怎么 应该如何 应当如何 该如何 怎么办 怎么弄 怎么做 怎么搞 怎么回事 怎么样 怎么能 怎么 怎样 如何 咋样 咋办 咋弄 咋
行不行 成不成 好不好 行吗 好吗 为什么 为何 为啥 是不是 是否 可不可以 能不能 会不会 有没有 要不 能否 可否 可以 能够 应该 应当 能 会 要 想要 我想 想 我要 打算 希望
几年 几天 几点 几点钟 几号 几时 几月 几个月 几楼 几层 几次 几位 几种 几岁 几折 几小时 几个小时 几分钟 几台 几条 几张 几份 几页 多少天 多少年 多少次 多少个 多少人 多少元 多少钱 多少小时 多少分钟 哪天 哪一天 哪年 哪一年 哪几天 哪个月 几星期 几周 是多少 多少 什么时候 什么时间 何时 多久之内 之内
什么意思 是什么 什么样 什么 啥意思 是啥 干啥 啥 哪些 哪个 哪种 哪一个 哪几 哪 几个 多少
一下子 一下 一个 一条 一段 一些 这个 那个 这些 那些 这里 那里 这样 那样 这种 那种 某个 每个 一种 一次 一直 一样
这 那 我们 你们 他们 咱们 自己 我的 你的 您的 他的 我 你 您 他 她 它 咱 本人
的话 的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 哦 么 呐 哈 之
是 在 有 和 与 或者 或 及 以及 跟 同 对于 对 关于 把 被 给 让 从 到 向 为了 为 以 于 由 就 都 也 还 又 再 才 只 很 太 更 最 比较 非常 特别 不 没 别 没有 不能 不会 不了 不用 时候 时 后 前 里面 里 中 上面 上 下 去 来 做 用 使用 进行 通过 如果 假如 要是 但是 但 而且 因为 所以 然后 现在 目前 已经 正在 刚才 刚刚 刚 那么 其实 究竟 到底 具体 需要 
`;

const english = `
a an the this that these those it its i me my mine we our us you your yours he she they them their there here
is are was were be been being am do does did done doing have has had having can could may might shall should will would must
what which who whom whose how why when where whether if then than so as of in on at by to for from with without into onto about
over under between through and or but not no nor only just also too very really quite any some all each every both few more most
such same own please tell explain know like want need wish get got make let give way thing stuff someone something anything
possible able go going happen happens happened actually currently now still yet ever else up out off down help
hello hi hey thanks thank s t d ll ve re m don doesn didn isn aren wasn weren won wouldn couldn shouldn can cannot cant dont doesnt didnt im ive id
because while after before until since during although though unless due went goes gone come comes came anyway instead
use used using work works working much many lot bit kind sort sure okay ok
`;

export const chineseStopWords: readonly string[] = wordsOf(chinese)
  .map(fold)
  .sort((one, other) => other.length - one.length);

export const englishStopWords: ReadonlySet<string> = new Set(wordsOf(english).map(stemOf));

function wordsOf(list: string): string[] {
  return list.trim().split(/\s+/);
}
