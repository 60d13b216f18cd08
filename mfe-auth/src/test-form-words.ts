/** The words of /test. The three messages stand in the source as they are here. */
export const testFormWords = {
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
    about: 'A test page: submitting writes to the console and sends nothing.',
    username: 'Username',
    email: 'E-mail',
    password: 'Password',
    'username.error': 'A username is needed, with at least 3 characters',
    'email.error': 'Please enter a valid e-mail address',
    'password.error': 'A password is needed, with at least 6 characters',
    fine: 'Looks right',
    submit: 'Sign up',
    logged: 'Written to the console',
  },
} as const;
