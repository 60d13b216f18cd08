import type { PageRoute } from 'api/contract/pages';

/** Routes of three remotes and of the host, as a page's composition lists them. */
export const SAMPLE_ROUTES: PageRoute[] = [
  {
    path: '/index',
    screen: 'mfe-chat/./chat',
    guard: 'public',
    title: { zh: '咨询', en: 'Ask' },
    menu: { icon: 'chat', order: 10 },
  },
  {
    path: '/login',
    screen: 'mfe-auth/./login',
    guard: 'public',
    title: { zh: '登录', en: 'Sign in' },
    layout: 'plain',
  },
  {
    path: '/register',
    screen: 'mfe-auth/./login',
    guard: 'public',
    title: { zh: '注册', en: 'Sign up' },
    layout: 'plain',
  },
  {
    path: '/test',
    screen: 'mfe-auth/./test',
    guard: 'public',
    title: { zh: '注册表单', en: 'Sign-up form' },
  },
  {
    path: '/account',
    screen: 'mfe-auth/./account',
    guard: 'session',
    title: { zh: '账号与安全', en: 'Account' },
  },
  {
    path: '/history',
    screen: 'mfe-records/./history',
    guard: 'public',
    title: { zh: '记录', en: 'Records' },
    menu: { icon: 'records', order: 20 },
  },
  {
    path: '/report',
    screen: 'mfe-records/./report',
    guard: 'public',
    title: { zh: '报告', en: 'Report' },
    menu: { icon: 'chart', order: 30 },
  },
  {
    path: '/contacts',
    screen: 'mfe-records/./contacts',
    guard: 'public',
    title: { zh: '联系人', en: 'Contacts' },
    menu: { icon: 'people', order: 35 },
  },
  {
    path: '/knowledge',
    screen: 'mfe-records/./knowledge',
    guard: 'session',
    title: { zh: '知识', en: 'Knowledge' },
    menu: {
      icon: 'book',
      order: 40,
      audience: 'session',
      badge: {
        url: '/api/knowledge',
        field: 'unanswered',
        label: { zh: '，未答 {count} 个', en: ', {count} unanswered' },
      },
    },
  },
  {
    path: '/inbox',
    screen: 'mfe-records/./inbox',
    guard: 'session',
    title: { zh: '人工咨询', en: 'Inbox' },
    menu: {
      icon: 'user',
      order: 45,
      audience: 'session',
      badge: {
        url: '/api/inbox/summary',
        field: 'waiting',
        isCondition: true,
        label: { zh: '，待答复 {count} 个', en: ', {count} waiting' },
      },
    },
  },
  {
    path: '/composition',
    screen: 'host/./composition',
    guard: 'session',
    title: { zh: '发布', en: 'Releases' },
    menu: { icon: 'layers', order: 50, audience: 'operator' },
  },
];
