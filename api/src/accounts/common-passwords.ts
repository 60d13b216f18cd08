/**
 * The most common passwords of eight or more characters, in lower case: from published lists of leaked ones,
 * Chinese and English. Repeated characters, sequences of digits and letters, and keyboard rows are detected
 * by rules.
 */
const commonest = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssword p@ssw0rd p@ssw0rd1 pa$$word
  passwort motdepasse contrasena mypassword newpassword yourpassword nopassword thepassword
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyuiop qwertyui qazwsxedc qazwsx123 qaz123456 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t
  q1w2e3r4 q1w2e3r4t5 q1q1q1q1 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 asdfghjkl asdf1234 asdfasdf asdasdasd qweasdzxc qweqweqwe qwer1234
  1234qwer 123qweasd 123qwe123 qwe123qwe q123456789 a1234567 a12345678 a123456789 aa123456 aa12345678 abc12345 abc123456 abcd1234 abcde123
  abcd12345 1234abcd 123456abc 123abc123 123456aa 12345678a 123456789a 1234567q 12345qwert 12345678q 123456789q a1b2c3d4 a1s2d3f4 1a2b3c4d
  zz123456 qq123456 qq123123 w123456789 z123456789 asd123456 asd12345 zxc123456 123123123 123321123 112233445566 11223344 1122334455
  12341234 123412345 12121212 11112222 22221111 12345679 123456788 123456987 987654321 147258369 147852369 159357258 159753258 741852963
  789456123 321654987 456789123 135792468 1357924680 246813579 314159265 31415926 1314520520 5201314520 5201314a woaini1314 woaini520
  woaini123 woaini1314520 iloveyou iloveyou1 iloveyou2 iloveyou12 ilovegod ihateyou loveyou1 loveme123 mylove123 lovelove lovers123
  sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball softball1 volleyball swimming soccer123 superman
  superman1 batman123 spiderman pokemon1 pokemon123 starwars starwars1 startrek trustno1 whatever whatever1 computer computer1 internet
  michelle jennifer jonathan jessica1 jordan23 michael1 charlie1 ashley123 nicole123 daniel123 anthony1 patricia elizabeth alexander
  alexandra christian christine danielle samantha stephanie veronica victoria brittany courtney benjamin nicholas chocolate butterfly
  strawberry cheesecake blink182 metallica slipknot liverpool liverpool1 arsenal1 chelsea1 barcelona manchester juventus realmadrid
  mustang1 corvette mercedes porsche1 ferrari1 harley123 yamaha123 marlboro rainbow1 snowball snoopy123 scooter1 shadow123 hunter123
  monkey123 dragon123 master123 killer123 ginger123 pepper123 cookie123 summer123 winter123 welcome1 welcome12 welcome123 welcome2024
  welcome2025 letmein1 letmein12 letmein123 letmein! changeme changeme1 changeme123 changeit default1 default123 admin123 admin1234
  admin12345 admin123456 adminadmin admin888 administrator superuser root1234 root12345 rootroot toor1234 test1234 test12345 testtest
  testing1 testing123 tester123 guest123 guest1234 user1234 user12345 username login123 secret123 secret12 temp1234 temporary google123
  facebook facebook1 linkedin twitter1 myspace1 samsung1 iphone123 android1 microsoft windows1 windows10 hello123 hello1234 helloworld
  hellohello goodluck1 freedom1 america1 american1 jesus123 jesuschrist godisgood blessed1 godbless angel123 babygirl babygirl1 sweetheart
  beautiful gorgeous cutiepie sexybabe playboy1 fuckyou1 fuckyou2 fuckyou123 asshole1 bullshit biteme123 access14 buster123 maverick
  midnight mountain thunder1 warcraft starcraft minecraft fortnite counter1 gamecube nintendo playstation xbox360a creative december
  november september october1 february saturday thursday wednesday einstein explorer dolphins cowboys1 redsox04 yankees1 lakers24 packers1
  steelers eagles123 raiders1 rangers1 giants123 buckeyes longhorn wildcats bulldogs panthers scorpion blackcat blackjack goldfish
  passport platinum diamond1 crystal1 phoenix1 predator terminator undertaker wrestling skateboard snowboard motorola
  dearbook wodemima mima1234 nihao123 zhang123 wang1234 li123456 lovechina caonima123 caonima1 wojiaoni aini1314 baobao123 xiaoxiao
  tiantian dandan123 lovelinda 52013140 1314520a 7758521a 7758258a 110110110 110120119 119120110 5211314a 1008610010`
    .split(/\s+/)
    .filter(Boolean),
);

const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890-=',
];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** Whether `password` is one that attackers try first. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return (
    commonest.has(lower) ||
    // One to four characters, repeated.
    /^(.{1,4}?)\1+$/u.test(lower) ||
    runs.some((run) => run.includes(lower))
  );
}

/** Whether `password` is the user name with few changes. */
export function isLikeName(password: string, username: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s/gu, '');
  const [given, name] = [fold(password), fold(username)];
  if (name.length < 3) return given === name;
  return [name, [...name].reverse().join('')].some(
    (one) => given.includes(one) && [...given.replaceAll(one, '')].length < 4,
  );
}
