/**
 * Development only: replaces react/jsx-runtime and react/jsx-dev-runtime in a remote's build. React's development runtimes ask the renderer
 * for the owner of an element, which the production renderer of a deployed host does not support: the first element would throw.
 */
import React from 'react';
import * as development from 'react-jsx-development';
import * as production from 'react-jsx-production';

/** Exists only in React's development build. */
const isDevelopment = typeof React.captureOwnerStack === 'function';
const { jsxDEV: developmentJsx } = development;

export const { Fragment } = production;
export const jsx = isDevelopment
  ? (type, props, key) => developmentJsx(type, props, key, false)
  : production.jsx;
export const jsxs = isDevelopment
  ? (type, props, key) => developmentJsx(type, props, key, true)
  : production.jsxs;
export const jsxDEV = isDevelopment ? developmentJsx : (type, props, key) => production.jsx(type, props, key);
