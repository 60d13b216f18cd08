/** Texts of /test. The three messages are required by the specification. */
export const testFormTexts = {
  zh: {
    title: '注册表单',
    about: '测试页：提交只写入控制台，不发送任何数据。',
    username: '用户名',
    email: '电子邮箱',
    password: '密码',
    'username.error': '用户名不能为空且长度需大于3',
    'email.error': '请输入有效的电子邮件地址',
    'password.error': '密码不能为空且长度需大于6',
    fine: '格式正确',
    submit: '注册',
    logged: '已写入控制台',
  },
  en: {
    title: 'Registration form',
    about: 'Test page: submitting only writes to the console and sends nothing.',
    username: 'Username',
    email: 'Email',
    password: 'Password',
    'username.error': 'Enter a username with at least 3 characters',
    'email.error': 'Enter a valid email address',
    'password.error': 'Enter a password with at least 6 characters',
    fine: 'Looks good',
    submit: 'Sign up',
    logged: 'Written to the console',
  },
} as const;
