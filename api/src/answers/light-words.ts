import { fold } from './fold.ts';
import { stemOf } from './terms.ts';

/**
 * Common words that colour a question without telling what it is about: light verbs, adverbs, adjectives, general nouns. That a
 * passage lacks one of them says little; that it lacks any other word of the question says much.
 */
const english = `
able absolutely accept actual add again ago ahead allow almost alone already alright also although always another answer anymore apparently
appear apply around arrive aside away back bad badly based become before begin behind believe beside besides best better big bring brand busy buy call
came care carefully case catch cause certain certainly chance check choose clear clearly click close come common complete completely concern consider
contain continue correct correctly couple course cover crazy create current deal decide default depend despite detail different difficult directly drop during
each early earth easily easy either else end enough entire entirely especially essentially even eventually everyone everything everywhere exactly example except exist
expect extra fact fairly fall far fast feel fellow figure fill final finally find fine finish first fit follow force form forth forward found free
frequently fresh full fully fun further future general generally gets getting given gives goes gone good gotten great group guess guy had half hand handle hang
happy hard hardly head hear heard held high hit hold honest hope hour however huge idea ideally immediately important include indeed inside instead intend
interest into issue item join keep kept kid kill kinda large last late later latest lately lead learn least leave left less let level likely line little load
long longer look lose loss lost low lower main mainly make manage manner matter maybe mean meaning means mess method middle might mind minor mistake
moment money month morning mostly move must name near nearly necessary never nevertheless new next nice nobody none normal normally note nothing notice
number obviously occasionally occupy occur odd offer often old once one open operate opposite option order ordinary other otherwise out outside overall own part
particular particularly party past pay people perhaps permanently person personally perfect pick piece place plain plan play plenty point poor possible possibly
practical practically prefer press pretty prevent previous probably problem proper properly put quick quickly quiet quit rather reach react ready real realize really
reason receive recent recently regard regular regularly related relevant remain require respect rest result return right risk room rule run safe safely
said same say says second section see seem seen sense separate seriously serve set several show side simple simply since single
sit situation small somebody somehow someone sometimes somewhere soon sort specific spend stand start state stay step still stolen straight strange strictly
stuff succeed sudden suddenly suggest suit support suppose survive take taken talk tell tend term test thing think third thought thousand three throw thus tight
time tiny today together tomorrow tonight too took total totally touch toward tried trouble true truly try turn twice two type typical typically ultimately under
understand unless until upon usual usually various view visit wait walk wanna watch week weird well went whatever whenever wherever whether while whole
wide will wise without wonder word worry worse worst worth wrong year yes yesterday yet
exact words went discuss brand purpose explain belong around provider provide please kindly various literally honestly weird stupid finish complete whole full rely reliable mine bit month wish fond sudden oops hmm ugh wow hide navigate told myself entering regarding whichever bunch couple wonder thereby hence upon attempt operation purpose earth beautiful nicely bought web fill-in occupied paying details hitting touching taking letting say saying sits lying mandatory
`;

const chinese = `
坏处 好处 一阵 之内 往外 这套 这么 那么 上个 个月 月 周 隔 该 结果 合格 正在 毕竟 反正 总之 终于 顺便 请 谢谢 嗯 喂 那 哎 彻底 干净 究竟 有啥 老样 样子 效果 马上 太 说 至少 提供 使得 导致 或许 大量 少量 充分 必然 相应 各自 一概 一律 均 倒 竟然 居然 非常 多么 何时 何种 操作 方法 步骤 办法 方式 情况 问题 东西 事情 地方 时间 部分 原因 结果 意思 功能 作用 区别 关系 要求 条件 内容 过程 状态 程度 方面
半天 一起 一直 一会 一会儿 突然 忽然 老是 总是 经常 常常 偶尔 有时 平时 平常 通常 一般 大概 大约 可能 也许 好像 似乎 其实 确实 真的 真正 直接 马上 立刻 立即 随时 随便
完全 全部 所有 整个 整体 各个 各种 每次 每天 每年 任何 其他 其它 别的 另外 另一 相关 有关 类似 同样 一样 不同 正常 普通 简单 方便 容易 困难 麻烦 复杂
知道 觉得 认为 发现 遇到 碰到 出现 发生 开始 结束 继续 完成 成功 看看 试试 听说 了解 理解 明白 清楚 介绍 说明 解释 描述 表示 代表 包括 包含 属于 存在 支持 允许 提供
选择 点击 点开 打开 填写 填 输入 弄好 搞定 处理 解决 办理 实现 达到 得到 拿到 收到 用到 找到 变得 成为 显示 提示 要求 必要 需要 希望 愿意 喜欢 放心 担心 害怕 小心
今天 明天 昨天 现在 以后 之后 最后 最近 刚才 目前 当前 将来 永远 暂时 提前 及时 第一 第二 最好 最新 最大 最小 更好 好用 好看 有用 没用 大家 有人 人家 别人 家里
大 小 多 少 好 坏 高 低 长 短 快 慢 早 晚 真 假 全 半 老 旧 远 近 黑 白 面 器 部 间 边 头 子 儿 话 事 人 字 件 台 张 份 种 类 号 位 名 年 月 日 天 点 分 秒 元 块 开 关 出 入 进 回 走 跑 拿 放 吃 喝 听 写 读 弄 搞 办
`;

const light: ReadonlySet<string> = new Set([...wordsOf(english).map(stemOf), ...wordsOf(chinese).map(fold)]);

/** Whether a folded Chinese word, or the stem of an English one, is light. */
export function isLight(term: string): boolean {
  return light.has(term);
}

function wordsOf(list: string): string[] {
  return list.trim().split(/\s+/);
}
