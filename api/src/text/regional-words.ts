import regionalPhrases from 'opencc-js/dict/TWPhrasesRev';
import { fold } from './fold.ts';

/** Pairs that OpenCC's list lacks, in simplified characters: the word of Taiwan, then the mainland's. */
const more = `
指令 命令|储存库 仓库|储存库 版本库|暂存档 临时文件|暂存 缓存|套件 软件包|移除 卸载|资源回收筒 回收站|复制 克隆|本机 本地|本机 主机|登出 退出|密码 口令|回复 恢复|还原 恢复|预设 默认|设定 配置|关机 关闭|开机 启动|萤幕 显示器|捷径 快捷方式|连结 连接|网域 域名|连接埠 端口
通讯埠 端口|闸道 网关|封包 数据包|讯息 信息|档案系统 文件系统|目录 文件夹|磁区 扇区|分割区 分区|分割 分区|随身碟 优盘|压缩档 压缩文件|映像档 镜像|映像 镜像|范本 模板|帐号 账号|帐户 账户|群组 用户组|介面 接口|原始码 源码|开放原始码 开源|用户端 客户端|无线网路 无线网络|电子邮件 邮件|信箱 邮箱|图片 图像|自动载入 自动加载|计时器 定时器|排程 计划任务|工作排程 定时任务|品质 质量|寻找 查找|相依 依赖|相依性 依赖
`;

/** Single-character words that are rarely part of another word. */
const alone: ReadonlySet<string> = new Set(['埠']);

/** Words with their counterparts in the other region, in simplified characters. */
const counterparts = new Map<string, string[]>();
let maxLength = 0;

for (const pair of [...regionalPhrases.split('|'), ...more.trim().split(/[|\n]/)]) {
  const [here = '', ...others] = fold(pair.trim()).split(' ');
  for (const there of others) {
    add(here, there);
    add(there, here);
  }
}

function add(word: string, other: string): void {
  if (word === other || !(word.length > 1 || alone.has(word)) || other.length < 2) return;
  const known = counterparts.get(word) ?? [];
  if (!known.includes(other)) counterparts.set(word, [...known, other]);
  maxLength = Math.max(maxLength, word.length);
}

interface RegionalWord {
  from: number;
  to: number;
  others: string[];
}

/** The words of a folded CJK run that have regional counterparts, by longest match without overlaps. */
export function regionalWordsIn(text: string): RegionalWord[] {
  const words: RegionalWord[] = [];
  for (let at = 0; at < text.length; ) {
    let length = Math.min(maxLength, text.length - at);
    while (length > 0 && !counterparts.has(text.slice(at, at + length))) length -= 1;
    const to = at + length;
    if (length > 0) words.push({ from: at, to, others: counterparts.get(text.slice(at, to))! });
    at = Math.max(to, at + 1);
  }
  return words;
}
