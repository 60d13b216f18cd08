/**
 * Questions that the handbook answers, partly in different words; the last one of each language is
 * unanswerable.
 */
export const QUESTIONS = [
  '怎么启动这个咨询台？',
  '没有登录也可以提问吗？',
  '忘记登录，之前问的问题会丢吗？',
  '回答里的方括号数字是什么意思？',
  '怎样更改密码？',
  '数据保存在哪里，怎么备份？',
  '可以接入自己的大模型吗？',
  '怎么切换成英文界面？',
  '正在生成的回答怎么停下来？',
  '游客的数据保留几天？',
  '明天上海会下雨吗？',
  'How do I start the desk on my own server?',
  'Can I ask something without an account?',
  'What do the numbers in square brackets mean?',
  "How long is a guest's data kept?",
  'Which database does it need?',
  'How can I connect an OpenAI-compatible model?',
  'What happens to a running answer when I close the tab?',
  'How do I delete my account?',
  'Where do I switch to the dark theme?',
  'Who won the chess world championship in 1972?',
] as const;
