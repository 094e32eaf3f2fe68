"""Words that stand where a name would and show that it is none: menus, products, teams, places, days, courtesies.

All in lower case. One such word in a candidate is enough; a person who is called so is missed, an ordinary word is kept.
"""

_MENUS_AND_PARTS = """account accounts action actions activity add address admin advanced alert alerts all analytics api app apps archive article articles
audit authentication automation back backup balance bank bar barcode basic beta billing bill block board book booking bot box browser bug bugs
build bulk business button calendar call campaign cancel card cards cart catalog catalogue center centre change channel channels chat checkout client
clients cloud code community company compliance config configuration connect connection console contact contacts content control cookie copy
credit currency custom customer customers dark dashboard data database date days debug default delete delivery demo deploy desk desktop details dev
developer device devices direct directory discount display docs document documents domain download drive driver edit editor email emails employee
engine engineer engineering enterprise entry error errors event events example export extension external failed fair feature features feed feedback
field fields file files filter filters finance firewall folder form forms free full gateway general gift global group groups guide hardware
head help history home host hour hours icon image images import inbox info integration integrations internal internet inventory invoice invoices
invite ip issue issues item items job jobs key keys kit knowledge label language launch layout ledger legal license licence light limit line link links list lite
live loading local location log login logs loyalty mail main maintenance manage management manager map market marketing media member members menu
merchant message messages method mobile mode model monitor month monthly more my name network new news next none not note notes notification notifications
now number office offline online open operations option options order orders other overview owner package page pages panel partner password pay
payment payments payout payouts payroll people permission permissions personal phone pin plan plans platform plugin plus point points policy
policies pop portal power preferences premium price prices pricing print printer printers privacy pro process product products professional profile
program project projects public purchase queue quick read reader receipt recent record recovery refund refunds region register registers release remote
report reports request requests reset resource resources restore return returns review role roles root rule rules sales sample sandbox save scale
scan scanner schedule school screen search section secret security select send server service services session set settings setup share shift ship
shipping shop show sign single site size software sort source space spam spot staff standard start starter state status step stock stop storage store
stores style subscription subscriptions success super support switch sync system systems tab table tablet tag tags task tasks tax team teams
technical template templates terminal terms test text theme ticket tickets till time title token tool tools top track training transaction
transactions transfer trial type under unit update updates upgrade upload uploads url usage user username users vault vendor verification version view
virtual visa voice voucher wallet warehouse web webhook webhooks website week widget wifi window windows wireless word work worker workflow workspace year yearly zone
tutorial tutorials academy blog forum university college institute department corp inc ltd llc gmbh ag kg sp bakery cafe bar restaurant hotel kitchen market
deli bistro coffee clinic studio agency solutions technologies consulting partners holdings logistics bookkeeping accountant
limited denied refused expired timeout disconnected unauthorized forbidden bad invalid missing unknown required found rate
defined function functions interface experience agreement rated information performance pixel meta wi-fi calculator additional fix fixes fixed pack edition cluster lock volume volumes application applications
replication certificate certificates high low reporting agent unique up down color colour corporation machines response getting started asked questions
frequently shopping technology compose checklist statement setting sender encryption incident case passport advantage selection indexes managing access
stack arguments distribution laptop installation operator production distributed capacity layer total authority statistics description fill gallery
automatic video class restart metrics library latency goals queries available availability introducing creator backups disk controls virtualization bytes
design identity parameter adding collections elements multiple customizing discounts shortcuts foundation electronic monitoring servers fully qualified
legacy asset reverse digital object join skills specification optimize testing physical variable migration essential validation index nodes recommended
infrastructure subject extended trusted insights hub cable charge commercial daily problem problems common parse inbound labs your let’s"""
_PRODUCTS = """google chrome firefox safari edge opera microsoft azure amazon aws apple android ios ipad iphone mac macos linux ubuntu debian fedora
red hat slack teams zoom outlook gmail excel word powerpoint sharepoint onedrive dropbox salesforce hubspot zapier jira confluence trello asana notion
github gitlab docker kubernetes oracle ibm watson sap adobe acrobat photoshop wordpress shopify wix squarespace stripe paypal klarna mastercard
maestro facebook instagram twitter linkedin youtube whatsapp telegram signal viber messenger skype samsung huawei xiaomi sony dell lenovo intel
nvidia amd redis postgres mysql mongo java python node react visual studio internet explorer active directory bluetooth ethernet usb zebra epson
star sumup square lightspeed okta auth duo authenticator firewall defender norton kaspersky cisco vmware citrix nordic tableau power"""
_PLACES_AND_TIME = """new york london paris berlin hamburg vienna warsaw kyiv kiev lviv odesa moscow madrid barcelona lisbon rome milan san los las
angeles vegas francisco diego saint st north south east west northern southern eastern western central united states kingdom great britain america
american europe european asia africa pacific atlantic australia canada germany france spain poland ukraine russia italy mexico brazil india china japan
city county street road avenue lane square park lake river bay beach airport station hong kong buenos aires rio sao tel aviv abu
monday tuesday wednesday thursday friday saturday sunday january february march july august september october november december spring summer
autumn winter morning evening night today tomorrow yesterday christmas easter black cyber
montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
київ львів одеса харків дніпро україна москва россия понеділок вівторок середа четвер п'ятниця субота неділя понедельник вторник среда четверг
пятница суббота воскресенье lunes martes miércoles jueves viernes sábado domingo poniedziałek wtorek środa czwartek piątek sobota niedziela
lundi mardi mercredi jeudi vendredi samedi dimanche warszawa kraków gdańsk wrocław poznań münchen wien köln sevilla valencia"""
_COURTESIES = """thank thanks thankyou you kind best warm many regards wishes yours sincerely truly faithfully cheers dear hi hello hey good please sorry bye
greetings welcome congratulations have great nice take care advance help urgent important attention asap ok okay yes no sir madam team everyone
danke vielen herzlichen grüße gruß grüßen mit freundlichen liebe viele beste guten tag hallo bitte dringend gracias saludos un cordial hola buenos
días buenas tardes por favor dziękuję proszę pozdrawiam dzień dobry z poważaniem pilne merci bonjour cordialement bien salutations
дякую заздалегідь вітаю добрий день вечір ранок будь ласка з повагою терміново спасибо заранее здравствуйте добрый пожалуйста уважением срочно
the a an and or of to in on at for from with by as is are it this that these those what which who when where why how can could will would should may
i we he she they if but so also only just any each every some there here one two three first second third last see use using go click press tap
choose enter turn check make get create remove enable disable install run try ask tell let keep apply call contact follow learn
der die das ein eine und oder von zu im am für wir ich sie es wie was wo wann kann bitte hier nicht
el la los las una y o de del en para con es cómo qué dónde cuándo puede
це я ми ви він вона вони та або як що де коли чому чи не на за до від для это мы вы он она они или как что где когда почему ли от"""
_OTHER_LANGUAGES = """dział obsługi klienta équipe equipe equipo soporte suporte kundendienst kundenservice einstellungen konto kasse drucker bon bericht berichte benutzer kunde kunden rechnung rechnungen zahlung zahlungen hilfe lager artikel
ihr ihre ihrem ihren ihrer ihres ihnen diese dieser dieses einige wenn falls um zum zur bei unter ohne nach auf durch jede jeder alle andere weitere manche
neue neuer neues offene mein meine mehr rechner dateien datei knopf bildschirm ordner fenster tastatur maus liste anwendung anwendungen beispiel seite seiten
schalter reiter einstellung zugriff anzahl medien netzwerk taste tasten bereich abschnitt feld daten kalender symbol freigabe auswahl titel verbindung sprache
netz kabel lade schlüssel adresse antrag angaben nummern nummer posten tagesabschluss beleg belege minus plus störung ausfall land
обзор нажмите откройте выберите щёлкните добавить общий сеть звук принтеры далее применить клавиатура планшет помощник мониторы
натисніть виберіть встановити відкрийте додати мережа звук принтери зчитувач застосунки термінали чеки зміна зміни смена
verwaltung übersicht filiale geräte gerät menü passwort vertrag abo tarif version fehler anmeldung steuer finanzamt sparkasse bank karte agentur
налаштування обліковий запис каса касир кабінет чек звіт звіти користувач клієнт рахунок оплата допомога склад товар товари меню пароль тариф помилка
підтримка магазин принтер термінал консоль банк адмін адміністратор власник менеджер відділ служба настройки учётная запись касса отчёт отчёты
пользователь счёт помощь товары ошибка поддержка банк админ администратор владелец отдел монобанк приватбанк новая новый нова пошта почта
ajustes configuración cuenta caja informe informes usuario usuarios cliente factura facturas pago pagos ayuda almacén impresora tienda banco seguridad
ustawienia konto kasa drukarka raport raporty użytkownik klient faktura faktury płatność płatności pomoc magazyn sklep bank urząd skarbowy terminal
paramètres compte caisse rapport utilisateur facture paiement aide magasin imprimante banque centre"""
_TITLES = "dr prof ms mr mrs mx miss herr herrn frau pan pani sr sra pdg ceo cto"
NOT_NAMES = frozenset(
    f"{_MENUS_AND_PARTS} {_PRODUCTS} {_PLACES_AND_TIME} {_COURTESIES} {_OTHER_LANGUAGES} {_TITLES}".replace(
        "'", "’"
    ).split()
)
PARTICLES = frozenset({"de", "la", "del", "van", "von", "der", "den", "da", "dos", "di", "bin", "al", "el"})
