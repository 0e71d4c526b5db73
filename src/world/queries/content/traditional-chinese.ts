/**
 * Simplified Chinese in traditional letters, as far as what is written here needs it: letter by
 * letter, for templates whose words are the same in both.
 */
export const toTraditional = (text: string): string =>
  text.replace(/[\u4e00-\u9fff]/g, (letter) => LETTERS.get(letter) ?? letter)

/** Each simplified letter, and its traditional one right after. */
const PAIRS = [
  '万萬与與业業东東严嚴个個为為丽麗义義乐樂乔喬买買于於产產亿億仓倉价價优優伟偉储儲兰蘭关關内內军軍冯馮决決净淨凤鳳凯凱刘劉则則刚剛创創务務动動区區华華单單卖賣占佔卢盧压壓参參发發',
  '变變叶葉号號后後吕呂吴吳响響啸嘯国國场場处處复復头頭娇嬌孙孫对對将將尧堯币幣帅帥师師庄莊庞龐开開异異张張弹彈强強态態总總悦悅户戶报報择擇据據撑撐数數无無时時显顯晋晉晓曉机機权權',
  '杨楊杰傑构構标標栋棟桥橋欧歐毕畢汤湯泽澤洁潔测測涂塗涛濤涨漲渊淵温溫满滿潇瀟点點烨燁状狀现現瑶瑤监監盘盤码碼础礎种種稳穩笔筆筹籌简簡红紅约約纪紀纳納线線绍紹继繼绪緒续續综綜网網',
  '罗羅聂聶聪聰艳艷艺藝节節芦蘆苍蒼苏蘇苹蘋荡蕩荣榮莱萊萧蕭蒋蔣蓝藍观觀规規触觸计計认認议議记記许許设設访訪证證识識试試诗詩诚誠语語诸諸诺諾读讀调調谢謝谨謹谭譚负負责責货貨费費贺賀',
  '贾賈资資赖賴赵趙轩軒转轉较較辉輝达達过過这這远遠迟遲选選邓鄧邹鄒郑鄭针針钟鐘钰鈺钱錢链鏈锋鋒锦錦键鍵长長门門闫閆间間闻聞阎閻阳陽阶階陆陸陈陳静靜韦韋韩韓韬韜项項顾顧预預领領颖穎',
  '颜顏额額风風飞飛马馬驰馳驹駒骆駱骞騫鲁魯鲸鯨鸿鴻鹏鵬鹤鶴鹭鷺麦麥黄黃齐齊龙龍龚龔专專',
].join('')

const LETTERS = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at) => [PAIRS[2 * at], PAIRS[2 * at + 1]]),
)
