module.exports = 'empty.svg';
