import regionalPhrases from 'opencc-js/dict/TWPhrasesRev';
import { fold } from './fold.ts';

/** Words for the same thing that OpenCC's list lacks: Taiwan's first, then the mainland's, in simplified characters. */
const more = `
指令 命令|储存库 仓库|储存库 版本库|暂存档 临时文件|暂存 缓存|套件 软件包|套件 包|解除安装 卸载|移除 卸载|资源回收筒 回收站|复制 复制|复制 克隆|本机 本地|本机 主机|远端 远端|登出 退出|登入 登录|注册 注册|密码 口令|回复 恢复|还原 恢复|预设 默认|设定 配置
程序 进程|行程 进程|执行绪 线程|执行 运行|启用 激活|停用 禁用|关机 关闭|开机 启动|萤幕 显示器|字型 字体|图示 图标|视窗 窗口|选单 菜单|捷径 快捷方式|连结 链接|连结 连接|网域 域名|网域 域|位址 地址|连接埠 端口|通讯埠 端口|埠 端口|闸道 网关|防火墙 防火墙
频宽 带宽|封包 数据包|讯息 信息|讯息 消息|资讯 信息|档案系统 文件系统|档案 文件|档 文件|资料夹 文件夹|目录 文件夹|磁碟 磁盘|磁区 扇区|分割区 分区|分割 分区|光碟 光盘|随身碟 优盘|硬碟 硬盘|挂载 挂载|备份 备份|压缩档 压缩文件|映像档 镜像|映像 镜像|范本 模板
使用者 用户|帐号 账号|帐户 账户|权限 权限|群组 组|群组 用户组|变数 变量|函式 函数|函式库 库|字串 字符串|字元 字符|阵列 数组|物件 对象|介面 界面|介面 接口|支援 支持|相容 兼容|最佳化 优化|除错 调试|编译 编译|原始码 源代码|原始码 源码|开放原始码 开源
列印 打印|印表机 打印机|扫描器 扫描仪|滑鼠 鼠标|键盘 键盘|伺服器 服务器|用户端 客户端|网路 网络|乙太网路 以太网|无线网路 无线网络|简讯 短信|电子邮件 邮件|信箱 邮箱|垃圾邮件 垃圾邮件|影片 视频|音讯 音频|图片 图像|记忆体 内存|快取 缓存|核心 内核|模组 模块
载入 加载|自动载入 自动加载|计时器 定时器|排程 计划任务|工作排程 定时任务|单元 单元|时区 时区|品质 质量|专案 项目|搜寻 搜索|寻找 查找|检视 查看|新增 添加|删除 删除|储存 保存|存取 访问|上传 上传|下载 下载|更新 更新|升级 升级|降级 降级|相依 依赖|相依性 依赖
`;

/** Characters that are a word by themselves and hardly ever a part of another. */
const alone: ReadonlySet<string> = new Set(['埠']);

/** What the other region calls a word, both in simplified characters, the word of a run that begins at a place first. */
const counterparts = new Map<string, string[]>();
const longest = { value: 0 };

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
  longest.value = Math.max(longest.value, word.length);
}

export interface RegionalWord {
  from: number;
  to: number;
  /** What it is called elsewhere. */
  others: string[];
}

/** Words of a folded CJK run that have other names in other regions, the longest at each place, none overlapping another. */
export function regionalWordsIn(text: string): RegionalWord[] {
  const words: RegionalWord[] = [];
  let at = 0;
  while (at < text.length) {
    let length = Math.min(longest.value, text.length - at);
    while (length >= 1 && !counterparts.has(text.slice(at, at + length))) length -= 1;
    if (length < 1) {
      at += 1;
      continue;
    }
    words.push({ from: at, to: at + length, others: counterparts.get(text.slice(at, at + length))! });
    at += length;
  }
  return words;
}
