"""The words of the coreference grammar: nouns, what can be said of them, and what they can do.

Everything is a table of text, parsed once on import. A noun's class (`kind`) decides what may be
said of it; every kind holds nouns of both French genders, so that a kind alone tells no gender.
"""

from dataclasses import dataclass
from typing import Literal

Gender = Literal["m", "f"]
GENDERS: tuple[Gender, ...] = ("m", "f")
Form = Literal["graded", "state", "fact", "plain", "have", "verb"]
VOWELS = frozenset("aeiouyàâéèêëîïôöûüœAEIOUÉÈÊÎÔ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    english: str
    french: str
    gender: Gender
    kind: str
    elides: bool  # l'animal, l'hôtel, but la haie
    countable: bool  # "a" only stands before a countable noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """What is said of "it": of the nouns of `kinds`. `fits` adds every kind of which it could be
    said at a stretch: no distractor may belong to those, or the sentence would be ambiguous."""

    english: str
    masculine: str
    feminine: str
    kinds: frozenset[str]
    fits: frozenset[str]
    form: Form
    english_now: str = ""  # present tense, for "verb"
    french_now: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A main clause: verb and complement in both languages, and the kinds of its two nouns.

    In the complements {a} and {b} are the nouns, {db} is de + b and {ab} is à + b. With a human
    subject both nouns stand in the complement; otherwise the first noun is the subject.
    """

    human: bool
    base: str
    past: str
    infinitive: str
    participle: str
    english: str
    french: str
    first: frozenset[str]
    second: frozenset[str]
    essive: bool  # être as auxiliary: the participle agrees with the subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Modality:
    """How the main verb is put. `finite` holds je, il, nous, ils forms; without, the auxiliary."""

    singular: str  # English, with {base} or {past}
    plural: str
    finite: tuple[str, str, str, str] | None = None
    negation: str = ""
    before: str = ""  # between the finite verb and the infinitive
    participle: bool = False
    now: bool = False
    willed: bool = False  # only for a subject that can want something


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What joins the pronoun clause to the main clause."""

    english: str
    french: str
    subjunctive: bool = False
    free_tense: bool = False  # allows a present after a past: "didn't cross it because it is wide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    english: str
    french: str
    number: int  # index into je, il, nous, ils


# english french gender; "*" after the gender: h aspiré; "~": a mass noun, never with "a".
_NOUNS = {
    "animal": """animal animal m, dog chien m, cat chat m, horse cheval m, bird oiseau m,
        rabbit lapin m, bear ours m, wolf loup m, donkey âne m, monkey singe m, sheep mouton m,
        elephant éléphant m, fox renard m, squirrel écureuil m, pig cochon m, cow vache f,
        goat chèvre f, mouse souris f, hen poule f, frog grenouille f, turtle tortue f,
        giraffe girafe f, mule mule f, mare jument f, owl chouette f, gazelle gazelle f,
        puppy chiot m, kitten chaton m, otter loutre f, ewe brebis f""",
    "way": """street rue f, road route f, avenue avenue f, highway autoroute f, alley ruelle f,
        track piste f, slope pente f, footbridge passerelle f, driveway allée f, bridge pont m,
        path chemin m, trail sentier m, corridor couloir m, tunnel tunnel m,
        boulevard boulevard m, staircase escalier m, sidewalk trottoir m, passage passage m""",
    "water": """lake lac m, pond étang m, canal canal m, stream ruisseau m, swamp marais m,
        torrent torrent m, river rivière f, pool piscine f, lagoon lagune f, bay baie f,
        sea mer f, puddle flaque f, basin bassin m""",
    "fruit": """pear poire f, apple pomme f, orange orange f, banana banane f, cherry cerise f,
        strawberry fraise f, peach pêche f, plum prune f, mango mangue f, raspberry framboise f,
        fig figue f, lemon citron m, melon melon m, apricot abricot m, pineapple ananas m,
        grapefruit pamplemousse m, kiwi kiwi m, fruit fruit m~, avocado avocat m""",
    "dish": """soup soupe f, salad salade f, omelette omelette f, pizza pizza f, sausage saucisse f,
        quiche quiche f, meat viande f~, sauce sauce f, sandwich sandwich m, steak steak m,
        stew ragoût m, rice riz m~, roast rôti m, ham jambon m~, meal repas m, dish plat m,
        hamburger hamburger m*, paella paella f""",
    "drink": """milk lait m~, coffee café m~, tea thé m~, wine vin m~, juice jus m~, cider cidre m~,
        champagne champagne m~, whisky whisky m~, cocktail cocktail m, punch punch m~,
        beer bière f~, lemonade limonade f~, vodka vodka f~, liqueur liqueur f~, sangria sangria f~,
        beverage boisson f""",
    "vehicle": """car voiture f, motorcycle moto f, van camionnette f, ambulance ambulance f,
        limousine limousine f, jeep jeep f, truck camion m, bus bus m, tractor tracteur m,
        taxi taxi m, scooter scooter m, vehicle véhicule m, coach autocar m, minibus minibus m,
        moped mobylette f""",
    "clothing": """shirt chemise f, skirt jupe f, dress robe f, jacket veste f, tie cravate f,
        scarf écharpe f, cap casquette f, sock chaussette f, tunic tunique f, coat manteau m,
        hat chapeau m, sweater pull m, blouse chemisier m, suit costume m, glove gant m,
        apron tablier m, uniform uniforme m, vest gilet m""",
    "document": """book livre m, newspaper journal m, novel roman m, magazine magazine m,
        article article m, poem poème m, report rapport m, dictionary dictionnaire m,
        contract contrat m, document document m, text texte m, letter lettre f, story histoire f,
        encyclopedia encyclopédie f, brochure brochure f, biography biographie f, thesis thèse f,
        essay dissertation f, fable fable f, petition pétition f""",
    "building": """house maison f, church église f, school école f, library bibliothèque f,
        factory usine f, barn grange f, station gare f, cabin cabane f, farm ferme f, villa villa f,
        bakery boulangerie f, prison prison f, hotel hôtel m, castle château m, museum musée m,
        theatre théâtre m, hospital hôpital m, shop magasin m, restaurant restaurant m,
        cinema cinéma m, apartment appartement m, palace palais m, garage garage m,
        building bâtiment m, tower tour f""",
    "machine": """machine machine f, television télévision f, radio radio f, lamp lampe f,
        camera caméra f, printer imprimante f, alarm alarme f, tablet tablette f, drill perceuse f,
        computer ordinateur m, phone téléphone m, fridge réfrigérateur m, oven four m,
        vacuum aspirateur m, fan ventilateur m, heater radiateur m, projector projecteur m,
        freezer congélateur m, calculator calculatrice f, screen écran m""",
    "plant": """flower fleur f, rose rose f, tulip tulipe f, hedge haie f*, orchid orchidée f,
        plant plante f, vine vigne f, daisy marguerite f, violet violette f, tree arbre m,
        oak chêne m, bush buisson m, lily lys m, cactus cactus m, willow saule m,
        sunflower tournesol m, rosebush rosier m, geranium géranium m""",
    "furniture": """table table f, chair chaise f, wardrobe armoire f, shelf étagère f,
        dresser commode f, bench banc m, bed lit m, armchair fauteuil m, desk bureau m,
        sofa canapé m, stool tabouret m, cupboard placard m, bookcase bibliothèque f,
        sideboard buffet m""",
    "container": """box boîte f, suitcase valise f, bottle bouteille f, crate caisse f,
        jug cruche f, trunk malle f, tub bassine f, basket panier m, bag sac m, bucket seau m,
        jar bocal m, barrel tonneau m, satchel cartable m, chest coffre m, pot marmite f""",
    "event": """meeting réunion f, party fête f, ceremony cérémonie f, lecture conférence f,
        race course f, rehearsal répétition f, election élection f, concert concert m,
        wedding mariage m, game match m, exam examen m, show spectacle m, debate débat m,
        festival festival m, trial procès m, outing excursion f""",
}  # fmt: skip

# english = masculine / feminine : kinds ! further kinds that it fits; one form alone serves both
# genders.
_GRADED = """
tired = fatigué / fatiguée : animal
frightened = effrayé / effrayée : animal
nervous = nerveux / nerveuse : animal
curious = curieux / curieuse : animal
lazy = paresseux / paresseuse : animal
stubborn = têtu / têtue : animal
suspicious = méfiant / méfiante : animal
weak = faible : animal ! drink plant machine furniture way building
sick = malade : animal ! plant
wide = large : way ! water vehicle building furniture clothing container machine
narrow = étroit / étroite : way ! water vehicle furniture clothing container building
crowded = bondé / bondée : way building ! vehicle event
steep = raide : way
slippery = glissant / glissante : way ! clothing water fruit
bumpy = cahoteux / cahoteuse : way
winding = sinueux / sinueuse : way ! water
muddy = boueux / boueuse : way ! water clothing animal vehicle
deep = profond / profonde : water ! container way furniture
polluted = pollué / polluée : water ! way drink
dangerous for swimmers = dangereux pour les nageurs / dangereuse pour les nageurs : water
ripe = mûr / mûre : fruit
juicy = juteux / juteuse : fruit ! dish
sour = acide : fruit drink ! dish
bitter = amer / amère : fruit drink ! dish plant
delicious = délicieux / délicieuse : fruit dish drink
tasty = savoureux / savoureuse : fruit dish drink
spicy = épicé / épicée : dish ! drink
salty = salé / salée : dish ! water drink
sweet = sucré / sucrée : fruit drink ! dish
fizzy = gazeux / gazeuse : drink
diluted = dilué / diluée : drink
hard to drive = difficile à conduire : vehicle
rusty = rouillé / rouillée : vehicle ! machine furniture container way
fast = rapide : vehicle ! animal machine water way
tight = serré / serrée : clothing
old-fashioned = démodé / démodée : clothing furniture ! vehicle machine document dish building
wrinkled = froissé / froissée : clothing ! document
worn = usé / usée : clothing ! furniture vehicle machine document container way
boring = ennuyeux / ennuyeuse : document event
hard to read = difficile à lire : document
hard to understand = difficile à comprendre : document ! event animal machine
dusty = poussiéreux / poussiéreuse : \
furniture ! building way machine document vehicle clothing container plant
wobbly = bancal / bancale : furniture
comfortable = confortable : furniture clothing vehicle ! building
hard to assemble = difficile à assembler : furniture ! machine
full = plein / pleine : container ! vehicle building event machine furniture water
hard to open = difficile à ouvrir : container ! furniture building fruit document
noisy = bruyant / bruyante : machine event ! way vehicle building animal
easy to use = facile à utiliser : machine ! document furniture vehicle container
fragrant = parfumé / parfumée : plant ! drink dish fruit clothing
leafy = feuillu / feuillue : plant
prickly = piquant / piquante : plant ! clothing animal dish
"""
_STATES = """
asleep = endormi / endormie : animal
exhausted = épuisé / épuisée : animal ! document
wounded = blessé / blessée : animal
icy = verglacé / verglacée : way
closed to traffic = fermé à la circulation / fermée à la circulation : way
full of holes = plein de trous / pleine de trous : way clothing ! container document furniture
covered with ice = couvert de glace / couverte de glace : way water ! vehicle plant building
full of fish = plein de poissons / pleine de poissons : water ! container
dried up = asséché / asséchée : water ! plant way
infested with mosquitoes = infesté de moustiques / infestée de moustiques : \
water ! building way container plant
rotten = pourri / pourrie : fruit ! dish plant furniture
full of pips = plein de pépins / pleine de pépins : fruit
burnt = brûlé / brûlée : dish ! document building furniture clothing vehicle machine plant way
boiling = bouillant / bouillante : drink ! dish water
out of fuel = en panne d'essence : vehicle ! machine
broken down = en panne : vehicle machine !
stuck in traffic = coincé dans les embouteillages / coincée dans les embouteillages : vehicle
overloaded = surchargé / surchargée : vehicle ! animal event furniture container machine
torn = déchiré / déchirée : clothing document ! container furniture
full of mistakes = plein de fautes / pleine de fautes : document
haunted = hanté / hantée : building
uninhabited = inhabité / inhabitée : building
abandoned = abandonné / abandonnée : building ! vehicle event animal way machine furniture container
under renovation = en rénovation : building ! way water
full of tourists = plein de touristes / pleine de touristes : building ! way water vehicle event
switched on = allumé / allumée : machine
switched off = éteint / éteinte : machine
plugged in = branché / branchée : machine
unplugged = débranché / débranchée : machine
out of order = hors service : machine ! vehicle
under warranty = sous garantie : machine ! vehicle furniture
withered = fané / fanée : plant ! fruit
in bloom = en fleur : plant
uprooted = déraciné / déracinée : plant
covered with aphids = couvert de pucerons / couverte de pucerons : plant ! fruit
waxed = ciré / cirée : furniture ! clothing machine way vehicle
varnished = verni / vernie : furniture ! clothing machine container
dismantled = démonté / démontée : furniture ! machine vehicle
empty = vide : container building ! vehicle way furniture machine water
filled to the brim = rempli à ras bord / remplie à ras bord : container ! water
half empty = à moitié vide : container ! building vehicle furniture machine water drink event
"""
# Done to it: seen at once, so it never seems so.
_FACTS = """
peeled = épluché / épluchée : fruit
cut into slices = coupé en tranches / coupée en tranches : fruit ! dish
reheated = réchauffé / réchauffée : dish ! drink
ironed = repassé / repassée : clothing
embroidered = brodé / brodée : clothing
signed = signé / signée : document
translated = traduit / traduite : document
furnished = meublé / meublée : building
sealed = scellé / scellée : container ! document building
cancelled = annulé / annulée : event ! document
postponed = reporté / reportée : event
interrupted = interrompu / interrompue : event
"""
_PLAIN = """
badly paved = mal pavé / mal pavée : way
badly lit = mal éclairé / mal éclairée : way building ! event furniture plant
shallow = peu profond / peu profonde : water ! container furniture
navigable = navigable : water
freshly picked = fraîchement cueilli / fraîchement cueillie : fruit ! plant
overcooked = trop cuit / trop cuite : dish
badly cooked = mal cuit / mal cuite : dish
well seasoned = bien assaisonné / bien assaisonnée : dish
lukewarm = tiède : drink ! dish water
undrinkable = imbuvable : drink
served with ice = servi avec des glaçons / servie avec des glaçons : drink
badly parked = mal garé / mal garée : vehicle
well maintained = bien entretenu / bien entretenue : vehicle building ! way machine plant water
made of wool = en laine : clothing
made of cotton = en coton : clothing
badly sewn = mal cousu / mal cousue : clothing ! container furniture
well written = bien écrit / bien écrite : document
well illustrated = bien illustré / bien illustrée : document
written in Latin = écrit en latin / écrite en latin : document
illegible = illisible : document
badly heated = mal chauffé / mal chauffée : building ! vehicle water
badly insulated = mal isolé / mal isolée : building ! vehicle machine
closed on Sundays = fermé le dimanche / fermée le dimanche : building ! way water
uninhabitable = inhabitable : building
badly adjusted = mal réglé / mal réglée : machine ! furniture vehicle
connected to the Internet = connecté à Internet / connectée à Internet : machine ! building vehicle
newly planted = fraîchement planté / fraîchement plantée : plant
badly watered = mal arrosé / mal arrosée : plant
badly assembled = mal assemblé / mal assemblée : furniture ! machine clothing
screwed to the floor = vissé au sol / vissée au sol : furniture ! machine container
made of solid wood = en bois massif : furniture ! container building way vehicle
tightly closed = bien fermé / bien fermée : container ! furniture building vehicle document clothing
badly closed = mal fermé / mal fermée : container ! furniture building vehicle document clothing
badly organised = mal organisé / mal organisée : event ! document building
planned for Monday = prévu pour lundi / prévue pour lundi : event
broadcast live = diffusé en direct / diffusée en direct : event
"""
_HAVE = """
hungry = faim : animal
thirsty = soif : animal
afraid = peur : animal
sleepy = sommeil : animal
"""
# english past / present = French imperfect / present : kinds
_VERBS = """
needed to rest / needs to rest = avait besoin de repos / a besoin de repos : animal
wanted to sleep / wants to sleep = voulait dormir / veut dormir : animal
led to the coast / leads to the coast = menait à la côte / mène à la côte : way ! water event
smelled of vanilla / smells of vanilla = sentait la vanille / sent la vanille : \
dish drink ! plant fruit clothing building furniture container vehicle machine
contained too much sugar / contains too much sugar = \
contenait trop de sucre / contient trop de sucre : dish drink ! fruit container
went too fast / goes too fast = roulait trop vite / roule trop vite : vehicle
had a flat tyre / has a flat tyre = avait un pneu crevé / a un pneu crevé : vehicle
had no brakes / has no brakes = n'avait pas de freins / n'a pas de freins : vehicle
shrank in the wash / shrinks in the wash = rétrécissait au lavage / rétrécit au lavage : clothing
had two buttons missing / has two buttons missing = \
avait perdu deux boutons / a perdu deux boutons : clothing ! machine furniture
ended badly / ends badly = finissait mal / finit mal : document event !
had three floors / has three floors = avait trois étages / a trois étages : \
building ! furniture container
no longer worked / no longer works = ne marchait plus / ne marche plus : machine ! vehicle animal
used too much electricity / uses too much electricity = \
consommait trop d'électricité / consomme trop d'électricité : machine ! building vehicle
grew too fast / grows too fast = poussait trop vite / pousse trop vite : plant
was losing its leaves / is losing its leaves = perdait ses feuilles / perd ses feuilles : plant
had a broken leg / has a broken leg = avait un pied cassé / a un pied cassé : furniture ! animal
had no lid / has no lid = n'avait pas de couvercle / n'a pas de couvercle : \
container ! furniture machine
lasted too long / lasts too long = durait trop longtemps / dure trop longtemps : event
started too early / starts too early = commençait trop tôt / commence trop tôt : event
"""
# Said of nearly anything, so only where there is no distractor.
_ANYTHING = """
expensive = cher / chère : *
beautiful = beau / belle : *
small = petit / petite : *
magnificent = magnifique : *
ugly = laid / laide : *
good = bon / bonne : fruit dish drink
new = neuf / neuve : clothing vehicle machine furniture container
old = vieux / vieille : clothing vehicle machine furniture container building animal plant document
heavy = lourd / lourde : furniture container machine document
useful = utile : machine document container furniture vehicle
cheap = bon marché : clothing vehicle machine furniture container fruit dish drink
"""

# subject : base past {complement} = infinitive participle {complement} : first > second kinds.
# "_" joins a verb of several words; "+" before a participle: être. A kind list may be "any".
_FRAMES = """
animal : cross crossed {b} = traverser traversé {b} : way water
animal : leave left {b} = quitter quitté {b} : building way
animal : follow followed {b} = suivre suivi {b} : way vehicle
animal : eat ate {b} = manger mangé {b} : fruit dish
animal : taste tasted {b} = goûter goûté {b} : fruit dish drink
animal : smell smelled {b} = sentir senti {b} : fruit dish drink plant clothing
animal : drink drank {b} = boire bu {b} : drink
animal : sleep slept under {b} = dormir dormi sous {b} : furniture vehicle plant
animal : sleep slept in {b} = dormir dormi dans {b} : container building
animal : sleep slept near {b} = dormir dormi près {db} : building water machine way plant
animal : sleep slept on {b} = dormir dormi sur {b} : furniture clothing
animal : wait waited in front of {b} = attendre attendu devant {b} : building vehicle machine
animal : jump jumped over {b} = sauter sauté par-dessus {b} : plant container furniture water
animal : jump jumped onto {b} = sauter sauté sur {b} : furniture vehicle machine
animal : knock knocked over {b} = renverser renversé {b} : container furniture drink dish
animal : damage damaged {b} = abîmer abîmé {b} : clothing furniture document machine plant
animal : chew chewed {b} = mordiller mordillé {b} : clothing document fruit
animal : enter entered {b} = entrer +entré dans {b} : building
animal : look looked at {b} = regarder regardé {b} : fruit machine vehicle water dish plant
animal : go went around {b} = contourner contourné {b} : building water vehicle plant
animal : fall fell into {b} = tomber +tombé dans {b} : water container
animal : come came out of {b} = sortir +sorti {db} : building container water
animal : walk walked along {b} = longer longé {b} : way water
animal : steal stole {b} = voler volé {b} : fruit dish clothing
animal : run ran towards {b} = courir couru vers {b} : building vehicle water plant
animal : climb climbed onto {b} = grimper grimpé sur {b} : furniture vehicle
animal : watch watched {b} = observer observé {b} : vehicle machine fruit water
animal : touch touched {b} = toucher touché {b} : fruit machine plant dish document clothing
animal : avoid avoided {b} = éviter évité {b} : way water vehicle plant machine
animal : stay stayed near {b} = rester +resté près {db} : water building vehicle furniture
animal : reach reached {b} = atteindre atteint {b} : water building way
vehicle : cross crossed {b} = traverser traversé {b} : way
vehicle : block blocked {b} = bloquer bloqué {b} : way
vehicle : leave left {b} = quitter quitté {b} : way building
vehicle : hit hit {b} = heurter heurté {b} : plant building animal furniture
vehicle : avoid avoided {b} = éviter évité {b} : animal plant way
vehicle : carry carried {b} = transporter transporté {b} : machine furniture animal plant container
vehicle : splash splashed {b} = éclabousser éclaboussé {b} : clothing animal building
vehicle : reach reached {b} = atteindre atteint {b} : building way water
vehicle : slide slid on {b} = glisser glissé sur {b} : way
vehicle : fall fell into {b} = tomber +tombé dans {b} : water
vehicle : follow followed {b} = suivre suivi {b} : animal way
vehicle : stay stayed in front of {b} = rester +resté devant {b} : building plant
vehicle animal : disappear disappeared behind {b} = disparaître disparu derrière {b} : \
building plant
vehicle animal : go went past {b} = passer +passé devant {b} : building plant water
fruit document container machine clothing : fall fell onto {b} = \
tomber +tombé sur {b} : furniture
plant : fall fell on {b} = tomber +tombé sur {b} : vehicle building way
plant furniture : hide hid {b} = cacher caché {b} : building machine way document
plant : damage damaged {b} = abîmer abîmé {b} : vehicle building way
furniture container : block blocked {b} = bloquer bloqué {b} : way
document fruit clothing machine : stay stayed in {b} = \
rester +resté dans {b} : container building
document fruit machine clothing : fit fit into {b} = entrer +entré dans {b} : container
event : take took place in {b} = avoir eu lieu dans {b} : building
event : take took place near {b} = avoir eu lieu près {db} : water way plant
drink dish : spoil spoiled {b} = gâcher gâché {b} : clothing document event
fruit document container machine dish clothing : be was on {b} = être été sur {b} : furniture
fruit clothing document dish drink : be was in {b} = être été dans {b} : container
vehicle plant furniture machine container : be was next to {b} = \
être été à côté {db} : building water
vehicle plant animal building : be was near {b} = être été près {db} : way water
machine document clothing container fruit : be was under {b} = \
être été sous {b} : furniture vehicle
plant vehicle animal : be was in front of {b} = être été devant {b} : building
machine container : be was behind {b} = être été derrière {b} : furniture building plant
human : put put {a} in {b} = mettre mis {a} dans {b} : \
fruit clothing document dish machine > container
human : put put {a} on {b} = mettre mis {a} sur {b} : \
fruit clothing document dish machine container > furniture
human : leave left {a} on {b} = laisser laissé {a} sur {b} : \
document clothing fruit machine container dish > furniture
human : leave left {a} near {b} = laisser laissé {a} près {db} : \
vehicle container animal machine > building water plant
human : park parked {a} next to {b} = garer garé {a} à côté {db} : vehicle > building water plant
human : forget forgot {a} in {b} = oublier oublié {a} dans {b} : \
document clothing machine container > building
human : carry carried {a} to {b} = porter porté {a} jusqu'{ab} : \
container furniture machine plant > building vehicle
human : take took {a} out of {b} = sortir sorti {a} {db} : \
fruit clothing document machine > container building
human : find found {a} under {b} = trouver trouvé {a} sous {b} : \
document clothing animal fruit machine > furniture plant vehicle
human : find found {a} in {b} = trouver trouvé {a} dans {b} : \
document clothing animal fruit machine > container building
human : hide hid {a} behind {b} = cacher caché {a} derrière {b} : \
container document machine > furniture building plant
human : lose lost {a} in {b} = perdre perdu {a} dans {b} : document clothing > building
human : buy bought {a} for {b} = acheter acheté {a} pour {b} : \
dish drink clothing plant > event
human : wear wore {a} during {b} = porter porté {a} pendant {b} : clothing > event
human : read read {a} before {b} = lire lu {a} avant {b} : document > event
human : read read {a} after {b} = lire lu {a} après {b} : document > event
human : read read {a} near {b} = lire lu {a} près {db} : document > water building plant machine
human : drink drank {a} before {b} = boire bu {a} avant {b} : drink > event
human : drink drank {a} near {b} = boire bu {a} près {db} : drink > water building way
human : eat ate {a} after {b} = manger mangé {a} après {b} : fruit dish > event
human : eat ate {a} in {b} = manger mangé {a} dans {b} : fruit dish > building
human : exchange exchanged {a} for {b} = échanger échangé {a} contre {b} : \
vehicle clothing document machine furniture container animal fruit > \
vehicle clothing document machine furniture container animal drink
human : prefer preferred {a} to {b} = préférer préféré {a} {ab} : any > any
human : choose chose {a} instead of {b} = choisir choisi {a} au lieu {db} : any > any
human : compare compared {a} with {b} = comparer comparé {a} avec {b} : any > any
human : draw drew {a} next to {b} = dessiner dessiné {a} à côté {db} : \
animal vehicle building plant furniture fruit way > animal building plant water container way
human : see saw {a} behind {b} = voir vu {a} derrière {b} : \
animal vehicle plant container machine > building plant furniture vehicle
human : see saw {a} near {b} = voir vu {a} près {db} : \
animal vehicle plant building > way water building machine
human : photograph photographed {a} in front of {b} = photographier photographié {a} devant {b} : \
animal vehicle plant furniture > building water plant
human : push pushed {a} towards {b} = pousser poussé {a} vers {b} : \
furniture vehicle container machine > building way water plant
human : plant planted {a} near {b} = planter planté {a} près {db} : plant > building water way
human : water watered {a} behind {b} = arroser arrosé {a} derrière {b} : plant > building
human : take took {a} to {b} = emmener emmené {a} jusqu'{ab} : animal > building water
human : tie tied {a} to {b} = attacher attaché {a} {ab} : animal > plant furniture vehicle machine
human : feed fed {a} near {b} = nourrir nourri {a} près {db} : animal > water building way plant
human : repair repaired {a} in {b} = réparer réparé {a} dans {b} : \
machine vehicle furniture > building
human : wash washed {a} in {b} = laver lavé {a} dans {b} : clothing fruit > water container
human : throw threw {a} into {b} = jeter jeté {a} dans {b} : \
document clothing fruit container > water container
human : serve served {a} with {b} = servir servi {a} avec {b} : fruit dish > drink
human : serve served {a} during {b} = servir servi {a} pendant {b} : dish drink > event
human : visit visited {a} before {b} = visiter visité {a} avant {b} : building > event
human : sell sold {a} after {b} = vendre vendu {a} après {b} : \
vehicle animal building machine furniture > event
human : use used {a} during {b} = utiliser utilisé {a} pendant {b} : machine vehicle > event
human : cross crossed {a} with {b} = traverser traversé {a} avec {b} : \
way water > animal machine container document
human : leave left {a} with {b} = quitter quitté {a} avec {b} : \
building way event > animal container document clothing
human : enter entered {a} with {b} = pénétrer pénétré dans {a} avec {b} : \
building > animal container document fruit machine
"""
# One noun only: with the predicates that fit nearly anything.
_SINGLE_FRAMES = """
human : buy bought {a} = acheter acheté {a} : \
vehicle clothing document machine furniture container fruit dish building plant animal
human : sell sold {a} = vendre vendu {a} : vehicle clothing document machine furniture building
human : find found {a} = trouver trouvé {a} : \
vehicle clothing document machine furniture container animal building
human : see saw {a} = voir vu {a} : vehicle building animal plant way water event
human : show showed {a} = montrer montré {a} : vehicle building animal plant document
human : choose chose {a} = choisir choisi {a} : clothing furniture dish drink machine
human : visit visited {a} = visiter visité {a} : building
human : read read {a} = lire lu {a} : document
human : eat ate {a} = manger mangé {a} : fruit dish
"""


def _lines(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split(" : ")] for line in table.strip().split("\n")]


def _parse_nouns() -> tuple[Noun, ...]:
    nouns = []
    for kind, table in _NOUNS.items():
        for entry in table.split(","):
            english, french, mark = entry.split()
            nouns.append(
                Noun(
                    english=english,
                    french=french,
                    gender="m" if mark[0] == "m" else "f",
                    kind=kind,
                    elides=(french[0] in VOWELS or french[0] == "h") and "*" not in mark,
                    countable="~" not in mark,
                )
            )
    return tuple(nouns)


def _kinds(names: str) -> frozenset[str]:
    kinds = frozenset(_NOUNS) if names in ("any", "*") else frozenset(names.split())
    assert kinds <= frozenset(_NOUNS), names
    return kinds


def _parse_predicates(table: str, form: Form) -> tuple[Predicate, ...]:
    predicates = []
    for rule, names in _lines(table):
        english, french = rule.split(" = ")
        usual, _, further = names.partition("!")
        masculine, _, feminine = french.partition(" / ")
        now, french_now = "", ""
        if form == "verb":
            english, now = english.split(" / ")
            feminine, french_now = masculine, feminine
        kinds = _kinds(usual.strip())
        predicates.append(
            Predicate(
                english=english,
                masculine=masculine,
                feminine=feminine or masculine,
                kinds=kinds,
                fits=kinds | _kinds(further.strip()),
                form=form,
                english_now=now,
                french_now=french_now,
            )
        )
    return tuple(predicates)


def _parse_frames(table: str) -> tuple[Frame, ...]:
    frames = []
    for subject, rule, names in _lines(table):
        english, french = (side.split(" ", 2) for side in rule.split(" = "))
        human = subject == "human"
        first, _, second = names.partition(" > ") if human else (subject, ">", names)
        frames.append(
            Frame(
                human=human,
                base=english[0],
                past=english[1],
                english=english[2],
                infinitive=french[0],
                participle=french[1].removeprefix("+"),
                essive=french[1].startswith("+"),
                french=french[2],
                first=_kinds(first),
                second=_kinds(second),
            )
        )
    return tuple(frames)


NOUNS = _parse_nouns()
PREDICATES = (
    *_parse_predicates(_GRADED, "graded"),
    *_parse_predicates(_STATES, "state"),
    *_parse_predicates(_FACTS, "fact"),
    *_parse_predicates(_PLAIN, "plain"),
    *_parse_predicates(_HAVE, "have"),
    *_parse_predicates(_VERBS, "verb"),
)
ANYTHING = _parse_predicates(_ANYTHING, "graded")
FRAMES = _parse_frames(_FRAMES)
SINGLE_FRAMES = _parse_frames(_SINGLE_FRAMES)


def _pairs(table: str) -> tuple[tuple[str, str], ...]:
    rows = (line.partition(" = ") for line in table.strip().split("\n"))
    return tuple((english, french) for english, _, french in rows)


AVOIR, ETRE = ("ai", "a", "avons", "ont"), ("suis", "est", "sommes", "sont")
_COULD = ("pouvais", "pouvait", "pouvions", "pouvaient")
_WANTED = ("voulais", "voulait", "voulions", "voulaient")
_WENT = ("allais", "allait", "allions", "allaient")
_GO, _CAN = ("vais", "va", "allons", "vont"), ("peux", "peut", "pouvons", "peuvent")
_WANT, _MUST = ("veux", "veut", "voulons", "veulent"), ("dois", "doit", "devons", "doivent")

DID, DID_NOT, *_REST = _MODALITIES = tuple(
    Modality(
        singular=singular,
        plural=plural or singular,
        finite=finite,
        negation=negation,
        before=before,
        participle=finite is None,
        now=now,
        willed=willed,
    )
    for singular, plural, finite, negation, before, now, willed in (
        ("{past}", "", None, "", "", False, False),
        ("didn't {base}", "", None, "pas", "", False, False),
        ("never {past}", "", None, "jamais", "", False, False),
        ("will {base}", "", _GO, "", "", True, False),
        ("won't {base}", "", _GO, "pas", "", True, False),
        ("was going to {base}", "were going to {base}", _WENT, "", "", False, False),
        ("couldn't {base}", "", _COULD, "pas", "", False, False),
        ("can't {base}", "", _CAN, "pas", "", True, False),
        ("had to {base}", "", AVOIR, "", "dû ", False, False),
        ("has to {base}", "have to {base}", _MUST, "", "", True, True),
        ("wanted to {base}", "", _WANTED, "", "", False, True),
        ("didn't want to {base}", "", _WANTED, "pas", "", False, True),
        ("wants to {base}", "want to {base}", _WANT, "", "", True, True),
        ("doesn't want to {base}", "don't want to {base}", _WANT, "pas", "", True, True),
        ("tried to {base}", "", AVOIR, "", "essayé de ", False, True),
        ("refused to {base}", "", AVOIR, "", "refusé de ", False, True),
    )
)
_WAS = ("étais", "était", "étions", "étaient")
_BEING = (
    Modality(singular="was", plural="were", finite=_WAS),
    Modality(singular="wasn't", plural="weren't", finite=_WAS, negation="pas"),
    Modality(singular="is", plural="are", finite=ETRE, now=True),
    Modality(singular="isn't", plural="aren't", finite=ETRE, negation="pas", now=True),
)
MODALITIES_OF = {
    "willing": (DID,) * 3 + (DID_NOT,) * 3 + _MODALITIES,
    "moving": (DID,) * 2 + (DID_NOT,) * 2 + tuple(m for m in _MODALITIES if not m.willed),
    "lying": (DID,) * 3 + (DID_NOT,) * 2 + _MODALITIES[:5],
    "being": _BEING,
}

BECAUSE = Link(english="because", french="parce que", free_tense=True)
SENTENCE = Link(english=".", french=".", free_tense=True)
LINKS = (
    *(BECAUSE,) * 6,
    *(SENTENCE,) * 4,
    Link(english="since", french="puisque", free_tense=True),
    *(Link(english=", but", french=", mais", free_tense=True),) * 2,
    *(Link(english="and", french="et"),) * 2,
    Link(english=", and", french=", et"),
    Link(english="when", french="quand"),
    Link(english="while", french="alors que"),
    Link(english=", so", french=", donc"),
    Link(english="although", french="bien que", subjunctive=True),
    Link(english="even though", french="bien que", subjunctive=True),
)
FIRST_LINKS = (
    *(BECAUSE,) * 2,
    Link(english="since", french="puisque"),
    *(Link(english="as", french="comme"),) * 2,
    Link(english="when", french="quand"),
    Link(english="while", french="alors que"),
    Link(english="although", french="bien que", subjunctive=True),
    Link(english="even though", french="bien que", subjunctive=True),
)

PEOPLE = tuple(
    Person(english=english, french=french, number=number)
    for number, table in enumerate(
        (
            "I = je",
            "he = il\nshe = elle\nTom = Tom\nMary = Marie\nPaul = Paul\nAnna = Anna\n"
            "the farmer = le fermier\nmy brother = mon frère\nmy sister = ma sœur\n"
            "the girl = la fille\nthe boy = le garçon\nthe teacher = le professeur\n"
            "the man = l'homme\nthe woman = la femme\nmy father = mon père\nmy mother = ma mère\n"
            "the neighbour = le voisin\nthe doctor = le médecin\nhis wife = sa femme\n"
            "my uncle = mon oncle\nour aunt = notre tante\nthe student = l'étudiant\n"
            "the old man = le vieil homme\nthe young woman = la jeune femme\nsomeone = quelqu'un",
            "we = nous",
            "they = ils\nthe children = les enfants\nmy parents = mes parents\n"
            "our friends = nos amis\nthe workers = les ouvriers\nthe neighbours = les voisins",
        )
    )
    for english, french in _pairs(table)
    # The pronouns are as frequent as all the nouns that they stand for.
    for _ in range(4 if french in ("je", "nous", "il", "elle", "ils") else 1)
)

NOTHING = ("", "")
THEN = _pairs(
    """yesterday = hier
in the morning = le matin
last night = la nuit dernière
last week = la semaine dernière
on Monday = lundi
last summer = l'été dernier
that evening = ce soir-là
that day = ce jour-là
this morning = ce matin
last year = l'année dernière
in the evening = le soir"""
)
NOW = _pairs(
    """today = aujourd'hui
this morning = ce matin
this week = cette semaine
now = maintenant"""
)
REMARKS = _pairs(
    """unfortunately = malheureusement
of course = bien sûr
in the end = finalement
in my opinion = à mon avis
this time = cette fois"""
)
REPORTS = _pairs(
    """I think that = je crois que
my brother says that = mon frère dit que
everyone knows that = tout le monde sait que
she told me that = elle m'a dit que
I heard that = j'ai entendu dire que
we know that = nous savons que
people say that = on dit que
Tom thinks that = Tom pense que
I am sure that = je suis sûr que
the neighbours say that = les voisins disent que
my mother thinks that = ma mère pense que
I know that = je sais que
you know that = tu sais que"""
)
ASIDES = _pairs(
    """I think that = je crois que
I think = je pense que
everyone knows that = tout le monde sait que
my sister says that = ma sœur dit que
we know that = nous savons que
in my opinion = à mon avis
I am told that = on me dit que
according to Mary = d'après Marie"""
)
_OUTDOORS = frozenset({"building", "water", "way", "plant"})
PLACES = tuple(
    ((english, french), kinds)
    for english, french, kinds in (
        ("near", "près de", _OUTDOORS),
        ("not far from", "non loin de", _OUTDOORS),
        ("opposite", "en face de", frozenset({"building"})),
        ("in front of", "devant", frozenset({"building"})),
        ("behind", "derrière", frozenset({"building", "plant"})),
        ("after", "après", frozenset({"event"})),
        ("before", "avant", frozenset({"event"})),
        ("during", "pendant", frozenset({"event"})),
    )
)

TOO = ("too ", "trop ")
DEGREES = (
    *(TOO,) * 3,
    ("very ", "très "),
    ("very ", "très "),
    ("so ", "si "),
    ("really ", "vraiment "),
    ("quite ", "assez "),
    ("a bit ", "un peu "),
    NOTHING,
    NOTHING,
)
PHASES = (NOTHING, NOTHING, NOTHING, ("still ", "encore "), ("already ", "déjà "))
ENOUGH = (" enough", "assez ")

# tense: English, then French for être, avoir; {e} is the participle's agreement.
TENSES = {
    "was": ("was", "était", "avait"),
    "is": ("is", "est", "a"),
    "wasn't": ("wasn't", "n'était pas", "n'avait pas"),
    "isn't": ("isn't", "n'est pas", "n'a pas"),
    "seemed": ("seemed", "semblait", "semblait avoir"),
    "seems": ("seems", "semble", "semble avoir"),
    "looked": ("looked", "paraissait", "paraissait avoir"),
    "looks": ("looks", "paraît", "paraît avoir"),
    "became": ("became", "est devenu{e}", ""),
    "had become": ("had become", "était devenu{e}", ""),
    "is becoming": ("is becoming", "devient", ""),
}
SUBJUNCTIVE = {
    "was": ("soit", "ait"),
    "is": ("soit", "ait"),
    "wasn't": ("ne soit pas", "n'ait pas"),
    "isn't": ("ne soit pas", "n'ait pas"),
}
STEADY_TENSES: dict[bool, tuple[str, ...]] = {
    False: ("was",) * 4 + ("wasn't",),
    True: ("is",) * 4 + ("isn't",),
}
TENSES_OF: dict[Form, dict[bool, tuple[str, ...]]] = {
    "graded": {
        False: ("was",) * 6 + ("wasn't", "seemed", "looked", "became", "had become"),
        True: ("is",) * 6 + ("isn't", "seems", "looks", "is becoming"),
    },
    "state": {
        False: ("was",) * 6 + ("wasn't", "seemed", "looked"),
        True: ("is",) * 6 + ("isn't", "seems", "looks"),
    },
    "fact": STEADY_TENSES,
    "plain": {False: ("was",), True: ("is",)},
    "have": {False: ("was",) * 5 + ("wasn't", "seemed"), True: ("is",) * 5 + ("isn't", "seems")},
    "verb": {False: ("was",), True: ("is",)},
}
