"""Words of titles and places that mean the same in several languages, by which a translated title is recognised, and
words that say nothing of an event. Each is written as it is searched (values/names.py), and found inside of
compounds."""

# One meaning a line.
MEANINGS = tuple(
    tuple(line.split())
    for line in """
concert concerts konzert konzerte concierto conciertos concerto concerti koncert コンサート 演奏会 音楽会 حفل
exhibition ausstellung exposition exposicion exposicao mostra tentoonstelling 展覧会 展示会 معرض
market markt marche mercado mercato 市場 マーケット سوق
flea trodelmarkt flohmarkt puces pulgas pulci rommelmarkt フリーマーケット
christmas weihnacht weihnachten noel navidad natal natale kerst kerstmis クリスマス الميلاد
easter ostern paques pascua pascoa pasqua pasen
carnival karneval fasching carnaval carnevale カーニバル كرنفال
tour fuhrung rundgang visite visita rondleiding ツアー ガイド جولة
workshop werkstatt atelier taller oficina laboratorio ワークショップ ورشة
course kurs cours curso corso cursus lessen 講座 教室 دورة
lecture vortrag conference conferencia palestra conferenza lezing 講演 講演会 محاضرة
reading lesung lecture lectura leitura lettura voorlezen 朗読 朗読会 قراءة
theatre theater teatro 演劇 劇場 مسرح مسرحية
film kino cinema cine pelicula filme bioscoop 映画 上映会 فيلم سينما
festival fest fete fiesta festa feest 祭り フェスティバル مهرجان
opening eroffnung vernissage inauguration inauguracion abertura inaugurazione 開会式 افتتاح
dance tanz danse baile danca ballo dans ダンス رقص
children kinder enfants ninos criancas bambini kinderen 子ども 子供 أطفال للأطفال
family familie familien famille familia famiglia 家族 عائلة للعائلات
beginners anfanger debutants principiantes iniciantes principianti 初心者 للمبتدئين
seniors senioren aines mayores idosos anziani 高齢者
church kirche eglise iglesia igreja chiesa kerk 教会 كنيسة
cathedral dom kathedrale cathedrale catedral cattedrale 大聖堂 كاتدرائية
library bibliothek bucherei bibliotheque mediatheque biblioteca bibliotheek 図書館 مكتبة
museum musee museo museu 博物館 美術館 متحف
town stadt ville ciudad cidade citta 市 مدينة
townhall rathaus mairie ayuntamiento prefeitura municipio gemeentehuis stadhuis 市役所 بلدية
school schule ecole escuela escola scuola 学校 مدرسة
park parc parque parco 公園 حديقة
garden garten jardin jardim giardino tuin 庭園
summer sommer ete verano verao estate zomer 夏 夏祭り صيف الصيف
winter hiver invierno inverno 冬 شتاء الشتاء
spring fruhling fruhjahr printemps primavera voorjaar 春 ربيع الربيع
autumn herbst automne otono outono autunno herfst 秋 خريف الخريف
night nacht nuit noche noite notte 夜 ليلة
evening abend soiree tarde sera avond 夕べ مساء
morning morgen matin manana manha mattina ochtend 朝 صباح
day tag journee dia giorno giornata dag 日 يوم
open offen offene portes abiertas abertas aperte aperto
music musik musique musica muziek 音楽 موسيقى الموسيقى
organ orgel orgue organo orgao オルガン أرغن
choir chor choeur coro koor 合唱 合唱団 كورال جوقة
orchestra orchester orchestre orquesta orquestra orkest オーケストラ 管弦楽団 أوركسترا
symphony sinfonie symphonie sinfonia symfonie 交響曲 سيمفونية
piano klavier クラヴィア ピアノ بيانو
book buch livre libro livro boek 本 كتاب الكتاب
fair messe foire salon feria feira fiera beurs フェア
run lauf course carrera corrida corsa loop マラソン سباق
walk wanderung spaziergang randonnee caminata caminhada passeggiata wandeling 散歩 ハイキング
bicycle fahrrad velo bicicleta fiets 自転車 دراجات
wine wein vin vino vinho wijn ワイン
beer bier biere cerveza cerveja birra ビール
food essen cuisine comida cibo eten 料理 طعام الطعام
tasting probe degustation degustacion degustacao degustazione proeverij 試飲会 تذوق
meeting treffen versammlung reunion assemblee reuniao riunione vergadering 会議 اجتماع
old alt altstadt vieille casco centro storico oude 旧市街 القديمة
new neu neue nouveau nouvelle nuevo nueva novo nova nuovo nieuw 新 جديد
year jahr annee ano anno jaar 年 سنة
art kunst arte アート 芸術 فن الفن
photography fotografie photographie fotografia fotografia 写真 تصوير
history geschichte histoire historia storia geschiedenis 歴史 تاريخ
poetry poesie gedichte poesia lyrik 詩 شعر الشعر
puppet puppen marionnettes marionetas titeres bonecos burattini poppen 人形劇 دمى العرائس
fireworks feuerwerk artifice artificiales artificio artificiali vuurwerk 花火 花火大会
games spiele jeux juegos jogos giochi spellen ゲーム ألعاب
lantern laternen lanternes faroles lanternas lanterne lantaarn 灯籠
harbour hafen port puerto porto haven 港 ميناء الميناء
quartet quartett quatuor cuarteto quarteto quartetto kwartet 四重奏 رباعي
blood blut sang sangre sangue bloed 献血 الدم
donation spende don donacion doacao donazione donatie تبرع التبرع
tower turm torre toren 塔 タワー برج
castle schloss burg chateau castillo castelo castello kasteel 城 قلعة
lake see lac lago meer 湖 بحيرة
square platz plaza praca piazza plein 広場 ساحة
bridge brucke pont puente ponte brug 橋 جسر
river fluss riviere rio fiume rivier 川 نهر
light licht lumiere luz luce luci lights lichter 光 ضوء
pottery topfern topfer poterie ceramica ceramique keramiek 陶芸 فخار
repair reparatur reparation reparacion reparo riparazione 修理 إصلاح
""".splitlines()
    if line.strip()
)

# What a title can do without: articles and the like, and how an event stands.
_SILENT = """
a an the of and in at on for with to from by der die das den dem des ein eine einer einem und im am an auf fur mit zu
zum zur von vom bei le la les un une du de des et en au aux avec pour sur par el los las una y con para por del al o
os as um uma e do da dos das no na com il lo gli i uno di della dello dei delle nel con per su het een van voor met op
bij te ال و في من على مع の と で に を は l d s
sold out ausverkauft complet agotado esgotado esaurito uitverkocht cancelled canceled abgesagt annule cancelado
annullato geannuleerd live presents prasentiert presente presenta apresenta uhr
guided gefuhrte gefuhrter guidee guidees guiado guiada guidato guidata begeleide durch through attraverso traves door
"""
SILENT = frozenset(_SILENT.split())

# What a word can have more than the same word.
_ENDINGS = "s es e n en er ern ens nen in innen a o i as os x ing ings ed ers et te ten ar ne ies ة ات ين ون ي"
ENDINGS = frozenset(["", *_ENDINGS.split()])

# Towns that other languages call otherwise, one a line.
TOWNS = tuple(
    tuple(line.split(", "))
    for line in """
aachen, aix la chapelle, aken, aquisgran, aquisgrana
antwerp, antwerpen, anvers, amberes, anversa, antuerpia
athens, athen, athenes, atenas, atene, athene
augsburg, augsbourg, augusta
barcelona, barcelone, barcellona
basel, basle, bale, basilea, bazel
berlin, berlijn, berlim, berlino
bern, berne, berna
bologna, bologne, bolonia, bolonha
bruges, brugge, brujas, brugges
brussels, brussel, bruxelles, bruselas, bruxelas
cairo, kairo, le caire, el cairo, il cairo, القاهرة
cologne, koln, keulen, colonia
copenhagen, kopenhagen, copenhague, copenaghen, kobenhavn
dresden, dresde, dresda
edinburgh, edinburg, edimbourg, edimburgo
florence, florenz, florencia, florenca, firenze
frankfurt, francfort, francoforte
freiburg, fribourg, friburgo
geneva, genf, geneve, ginebra, genebra, ginevra
genoa, genua, genes, genova
ghent, gent, gand, gante
hague, the hague, den haag, la haye, la haya, haia, l aia
hamburg, hambourg, hamburgo, amburgo
hanover, hannover, hanovre
jerusalem, gerusalemme, jeruzalem, القدس
kyoto, kioto, 京都, 京都市
leipzig, lipsia
leuven, louvain, lovaina, lovanio
liege, luttich, luik, lieja
lille, rijsel
lisbon, lissabon, lisbonne, lisboa, lisbona
london, londres, londra, londen
lucerne, luzern, lucerna
luxembourg, luxemburg, luxemburgo, lussemburgo
lyon, lyons, lione
mainz, mayence, maguncia, magonza
marseille, marseilles, marsella, marselha, marsiglia
mechelen, malines, malinas
milan, mailand, milano, milao, milaan
munich, munchen, monaco di baviera, munique
naples, neapel, napoli, napoles, napels
nice, nizza, niza
nuremberg, nurnberg, norimberga, neurenberg
osaka, 大阪, 大阪市
padua, padova, padoue
paris, parigi, parijs
porto, oporto
prague, prag, praga, praag, praha
rome, rom, roma
salzburg, salzbourg, salzburgo, salisburgo
seville, sevilla, sevilha, siviglia
strasbourg, strassburg, estrasburgo, strasburgo, straatsburg
tokyo, tokio, 東京, 東京都
trier, treves, treveris, treviri
turin, torino, turim, turijn
venice, venedig, venise, venecia, veneza, venezia, venetie
vienna, wien, vienne, viena, wenen
warsaw, warschau, varsovie, varsovia, varsavia, warszawa
zurich, zurigo, zuerich
""".splitlines()
    if line.strip()
)
# Kinds of streets as they are shortened.
STREETS = {
    "str": "strasse",
    "st": "street",
    "rd": "road",
    "av": "avenue",
    "ave": "avenue",
    "sq": "square",
    "ln": "lane",
    "dr": "drive",
    "pl": "platz",
    "blvd": "boulevard",
    "bd": "boulevard",
    "bld": "boulevard",
    "c": "calle",
    "r": "rue",
    "v": "via",
    "pza": "plaza",
    "pzza": "piazza",
    "p": "piazza",
    "avda": "avenida",
}
